/** A store on a database server, whichever: what its adapter can do, as extraction wants it. */
import { messageOf, VitrineError } from "../../base/error.ts";
import { type AllowListQuery, chooseColumns } from "../allow-list.ts";
import type { RowText, StoreReader, StoreValue } from "../store.ts";
import type { ServerAddress } from "./address.ts";
import { findFailedRow } from "./failed-row.ts";
import { Batcher, selectOf, sourceOf } from "./sql.ts";

/**
 * A connection within its one transaction, which only reads and has one picture of the store. Statements come one after
 * the other; one that fails leaves the transaction as it was.
 */
export interface ServerSession {
  /** The columns that a statement gives, without reading a row. */
  columns(sql: string): Promise<readonly string[]>;
  /** Rows of a statement, as many at once as there are; values as `conversions.ts` has them. */
  rows(sql: string): AsyncIterable<readonly (readonly StoreValue[])[]>;
  /** True for what the statement or a row is to blame for: not the connection, not the server. */
  isOfTheSql(error: unknown): boolean;
  close(): Promise<void>;
}

/** What the files of one server differ in from another's. */
export interface Dialect {
  /** How SQL says the moment of the build. */
  readonly now: string;
  /** What stands before a statement for its plan. */
  readonly explain: string;
}

/** What an error that the SQL is not to blame for becomes. */
export function unreadable({ shown }: ServerAddress, error: unknown): VitrineError {
  if (error instanceof VitrineError) return error;
  return new VitrineError("store_unreadable", `Cannot read the store ${shown}: ${messageOf(error)}.`, {
    cause: error,
  });
}

export function serverStore(session: ServerSession, address: ServerAddress, dialect: Dialect): StoreReader {
  const files = new Files(session, address, dialect);
  return {
    columns: (query) => files.columns(query),
    batches: (query, beside) => files.batches(query, beside ?? []),
    // A server tells of no pages: rows tell, by their digests.
    changesSince: async () => ({ fingerprint: null, changed: "all" }),
    explain: (query) => files.plan(query),
    close: () => session.close(),
  };
}

class Files {
  readonly #session: ServerSession;
  readonly #address: ServerAddress;
  readonly #dialect: Dialect;

  constructor(session: ServerSession, address: ServerAddress, dialect: Dialect) {
    this.#session = session;
    this.#address = address;
    this.#dialect = dialect;
  }

  async columns(query: AllowListQuery): Promise<readonly string[]> {
    if (query.columns !== undefined) return query.columns;
    try {
      return chooseColumns(query, await this.#session.columns(`SELECT * FROM ${sourceOf(query)} LIMIT 0`));
    } catch (error) {
      throw await this.#explain(query, [], error);
    }
  }

  async *batches(query: AllowListQuery, beside: readonly string[]): AsyncGenerator<readonly RowText[]> {
    const columns = await this.columns(query);
    try {
      yield* this.#read(query, columns, beside);
    } catch (error) {
      throw await this.#explain(query, columns, error);
    }
  }

  async plan(query: AllowListQuery): Promise<readonly string[]> {
    const columns = await this.columns(query);
    const steps: string[] = [];
    try {
      const sql = `${this.#dialect.explain} ${selectOf(sourceOf(query), columns, columns)}`;
      for await (const rows of this.#session.rows(sql)) {
        for (const values of rows) steps.push(values.map((value) => String(value ?? "-")).join("  "));
      }
    } catch (error) {
      throw await this.#explain(query, columns, error);
    }
    return steps.flatMap((step) => step.split("\n"));
  }

  async *#read(
    query: AllowListQuery,
    columns: readonly string[],
    beside: readonly string[],
  ): AsyncGenerator<readonly RowText[]> {
    const batcher = new Batcher();
    const id = columns.indexOf("id");
    const places = beside.map((column) => columns.indexOf(column));
    for await (const rows of this.#session.rows(selectOf(sourceOf(query), columns, columns))) {
      for (const values of rows) {
        const others = places.map((place) => values[place] ?? null);
        const batch = batcher.add({ id: values[id] ?? null, text: JSON.stringify(values), beside: others });
        if (batch !== null) yield batch;
      }
    }
    const rest = batcher.take();
    if (rest.length > 0) yield rest;
  }

  /** What an error of the driver means; any other stays as it is. */
  async #explain(query: AllowListQuery, columns: readonly string[], error: unknown): Promise<unknown> {
    if (error instanceof VitrineError) return error;
    if (!this.#session.isOfTheSql(error)) return unreadable(this.#address, error);
    const row = await findFailedRow(columns, this.#probe(query));
    if (row !== null) {
      const where = `${query.file}: ${row.column} of id ${row.id} cannot be read: ${messageOf(error)}.`;
      const advice = "Mend this row in the store, or leave it out in the SQL. Nothing was written.";
      return new VitrineError("rows_invalid", `${where} ${advice}`, { cause: error });
    }
    const { now } = this.#dialect;
    const hint = /:now\b/.test(query.sql) ? ` The moment of the build is ${now} here, not :now.` : "";
    return new VitrineError("allow_list_invalid", `${query.file}: ${messageOf(error)}.${hint}`, {
      cause: error,
    });
  }

  #probe(query: AllowListQuery) {
    const source = sourceOf(query);
    const all = async (sql: string) => {
      const found: (readonly StoreValue[])[] = [];
      for await (const rows of this.#session.rows(sql)) found.push(...rows);
      return found;
    };
    return {
      fails: async (column: string, condition: string) => {
        try {
          await all(`SELECT COUNT(${column}) FROM ${source} ${condition}`);
          return false;
        } catch (error) {
          if (this.#session.isOfTheSql(error)) return true;
          throw unreadable(this.#address, error);
        }
      },
      ids: async () => (await all(`SELECT id FROM ${source} ORDER BY id`)).map(([id]) => id),
    };
  }
}
