/**
 * The port to SQLite over a Durable Object's storage. Each statement is read to its end before anything else happens: a SELECT that
 * is not makes every later DROP fail until the object is evicted, and a RETURNING that is not loses its writes.
 */
import type { Sql, SqlStatement } from "../base/sql.ts";
import type { ObjectStorage } from "./platform.ts";

interface Rows {
  readonly names: readonly string[];
  readonly rows: unknown[][];
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
    return new StorageStatement<Bound, Row>((bound) => this.#ask(text, bound));
  }

  exec(text: string): void {
    this.#ask(text, []);
  }

  /** All or nothing. */
  transaction<Result>(work: () => Result): Result {
    return this.#storage.transactionSync(work);
  }

  #ask(text: string, bound: readonly unknown[]): Rows {
    const cursor = this.#storage.sql.exec(text, ...bound.map(bindable));
    const rows = [...cursor.raw()];
    this.rowsRead += cursor.rowsRead;
    this.rowsWritten += cursor.rowsWritten;
    return { names: cursor.columnNames, rows, changes: cursor.rowsWritten };
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

class StorageStatement<Bound extends unknown[], Row> implements SqlStatement<Bound, Row> {
  readonly #ask: (bound: readonly unknown[]) => Rows;
  #form: "named" | "plucked" | "raw" = "named";

  constructor(ask: (bound: readonly unknown[]) => Rows) {
    this.#ask = ask;
  }

  pluck(): this {
    this.#form = "plucked";
    return this;
  }

  raw(): this {
    this.#form = "raw";
    return this;
  }

  get(...bound: Bound): Row | undefined {
    const { names, rows } = this.#ask(bound);
    const [row] = rows;
    return row === undefined ? undefined : this.#rowOf(names, row);
  }

  all(...bound: Bound): Row[] {
    const { names, rows } = this.#ask(bound);
    return rows.map((row) => this.#rowOf(names, row));
  }

  run(...bound: Bound): { readonly changes: number } {
    return { changes: this.#ask(bound).changes };
  }

  #rowOf(names: readonly string[], row: readonly unknown[]): Row {
    if (this.#form === "plucked") return cellOf(row[0]) as Row;
    const cells = row.map(cellOf);
    return (
      this.#form === "raw" ? cells : Object.fromEntries(names.map((name, at) => [name, cells[at]]))
    ) as Row;
  }
}
