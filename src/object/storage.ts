/**
 * The port to SQLite over a Durable Object's storage. Each statement is read to its end before anything else happens: a SELECT that
 * is not makes every later DROP fail until the object is evicted, and a RETURNING that is not loses its writes.
 */
import type { Sql, SqlStatement } from "../base/sql.ts";
import type { ObjectStorage } from "./platform.ts";

/** A row of a cursor in the form that is asked for. `names`: of its columns. */
type RowForm<Row> = (row: readonly unknown[], names: readonly string[]) => Row;

interface Answered<Row> {
  readonly rows: Row[];
  readonly changes: number;
}

export class StorageSql implements Sql {
  /** Rows as Cloudflare counts and bills them, since this object was started. */
  rowsRead = 0;
  rowsWritten = 0;
  readonly #storage: ObjectStorage;

  constructor(storage: ObjectStorage) {
    this.#storage = storage;
  }

  prepare<Bound extends unknown[] = unknown[], Row = unknown>(text: string): SqlStatement<Bound, Row> {
    return new StorageStatement<Bound, Row>((bound, form) => this.#ask(text, bound, form));
  }

  exec(text: string): void {
    this.#ask(text, [], RAW);
  }

  /** All or nothing. */
  transaction<Result>(work: () => Result): Result {
    return this.#storage.transactionSync(work);
  }

  #ask<Row>(text: string, bound: readonly unknown[], form: RowForm<unknown>): Answered<Row> {
    const cursor = this.#storage.sql.exec(text, ...bound.map(bindable));
    // The runtime makes a new array of the names each time.
    const names = form === NAMED ? cursor.columnNames : [];
    // Each row is put into its form at once: all arrays of a column of 200,000 values would take 20 MB more.
    const rows = Array.from(cursor.raw(), (row) => form(row, names) as Row);
    const changes = cursor.rowsWritten;
    this.rowsRead += cursor.rowsRead;
    this.rowsWritten += changes;
    return { rows, changes };
  }
}

/** The runtime binds true as 'true', and makes three signs of a lone surrogate, which better-sqlite3 refuses and makes one of. */
function bindable(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number" || value === null || ArrayBuffer.isView(value)) return value;
  throw new TypeError(`SQLite can only bind numbers, strings, buffers, and null, not ${typeof value}`);
}

function cellOf(value: unknown): unknown {
  return value instanceof ArrayBuffer ? Buffer.from(value) : value;
}

const NAMED: RowForm<unknown> = (row, names) =>
  Object.fromEntries(names.map((name, at) => [name, cellOf(row[at])]));
const PLUCKED: RowForm<unknown> = (row) => cellOf(row[0]);
const RAW: RowForm<unknown> = (row) => row.map(cellOf);

class StorageStatement<Bound extends unknown[], Row> implements SqlStatement<Bound, Row> {
  readonly #ask: (bound: readonly unknown[], form: RowForm<unknown>) => Answered<Row>;
  #form = NAMED;

  constructor(ask: (bound: readonly unknown[], form: RowForm<unknown>) => Answered<Row>) {
    this.#ask = ask;
  }

  pluck(): this {
    this.#form = PLUCKED;
    return this;
  }

  raw(): this {
    this.#form = RAW;
    return this;
  }

  get(...bound: Bound): Row | undefined {
    return this.all(...bound)[0];
  }

  all(...bound: Bound): Row[] {
    return this.#ask(bound, this.#form).rows;
  }

  run(...bound: Bound): { readonly changes: number } {
    return { changes: this.#ask(bound, RAW).changes };
  }
}
