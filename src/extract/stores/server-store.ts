/** A store on a database server, whichever: what its adapter can do, as extraction wants it. */
import { messageOf, VitrineError } from "../../base/error.ts";
import { type AllowListQuery, chooseColumns } from "../allow-list.ts";
import { capturedChanges } from "../capture/capture.ts";
import type { Origin, RowsBy, RowText, StoreChanges, StoreReader } from "../store.ts";
import type { ServerAddress } from "./address.ts";
import { findFailedRow } from "./failed-row.ts";
import { allRows, askOf, type Dialect, type ServerSession, unreadable } from "./server-session.ts";
import { Batcher, selectOf, sourceOf } from "./sql.ts";

export function serverStore(session: ServerSession, address: ServerAddress, dialect: Dialect): StoreReader {
  const files = new Files(session, address, dialect);
  return {
    columns: (query) => files.columns(query),
    batches: (query, beside, wanted) => files.batches(query, beside ?? [], wanted),
    changesSince: (before, queries) => files.changesSince(before, queries),
    origins: (query) => files.origins(query),
    explain: (query) => files.plan(query),
    close: () => session.close(),
  };
}

interface Reading {
  readonly columns: readonly string[];
  readonly beside: readonly string[];
  /** Undefined: all. */
  readonly wanted: RowsBy | undefined;
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

  changesSince(before: Buffer | null, queries: readonly AllowListQuery[]): Promise<StoreChanges> {
    return capturedChanges(askOf(this.#session), this.#dialect.capture, { before, queries });
  }

  async columns(query: AllowListQuery): Promise<readonly string[]> {
    if (query.columns !== undefined) return query.columns;
    try {
      return chooseColumns(query, await this.#session.columns(`SELECT * FROM ${sourceOf(query)} LIMIT 0`));
    } catch (error) {
      throw await this.#explain(query, [], error);
    }
  }

  /** Once its columns have shown that the file is one SELECT. */
  async origins(query: AllowListQuery): Promise<readonly Origin[]> {
    const columns = await this.columns(query);
    try {
      return await this.#session.origins(query.sql);
    } catch (error) {
      throw await this.#explain(query, columns, error);
    }
  }

  async *batches(
    query: AllowListQuery,
    beside: readonly string[],
    wanted: RowsBy | undefined,
  ): AsyncGenerator<readonly RowText[]> {
    if (wanted?.ids.length === 0) return;
    const columns = await this.columns(query);
    try {
      yield* this.#read(query, { columns, beside, wanted });
    } catch (error) {
      throw await this.#explain(query, columns, error);
    }
  }

  async plan(query: AllowListQuery): Promise<readonly string[]> {
    const columns = await this.columns(query);
    try {
      const steps = await allRows(
        this.#session,
        `${this.#dialect.explain} ${selectOf(sourceOf(query), columns, columns)}`,
      );
      return steps.flatMap((step) =>
        step
          .map((value) => String(value ?? "-"))
          .join("  ")
          .split("\n"),
      );
    } catch (error) {
      throw await this.#explain(query, columns, error);
    }
  }

  async *#read(
    query: AllowListQuery,
    { columns, beside, wanted }: Reading,
  ): AsyncGenerator<readonly RowText[]> {
    const batcher = new Batcher();
    const id = columns.indexOf("id");
    const places = beside.map((column) => columns.indexOf(column));
    for await (const rows of this.#session.rows(selectOf(sourceOf(query), columns, columns, wanted))) {
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
    return {
      fails: async (column: string, condition: string) => {
        try {
          await allRows(this.#session, `SELECT COUNT(${column}) FROM ${source} ${condition}`);
          return false;
        } catch (error) {
          if (this.#session.isOfTheSql(error)) return true;
          throw unreadable(this.#address, error);
        }
      },
      ids: async () =>
        (await allRows(this.#session, `SELECT id FROM ${source} ORDER BY id`)).map(([id]) => id),
    };
  }
}
