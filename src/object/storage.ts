/**
 * The port to SQLite over a Durable Object's storage. Each statement is read to its end before anything else happens: a SELECT that
 * is not makes every later DROP fail until the object is evicted, and a RETURNING that is not loses its writes.
 */
import type { Sql, SqlStatement } from "../base/sql.ts";
import type { ObjectStorage } from "./platform.ts";

interface Rows {
  /** Only read if they are needed: the runtime makes an array of them each time. */
  readonly names: () => readonly string[];
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
    const changes = cursor.rowsWritten;
    this.rowsRead += cursor.rowsRead;
    this.rowsWritten += changes;
    return { names: () => cursor.columnNames, rows, changes };
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
    return row === undefined ? undefined : this.#rowsOf(names, [row])[0];
  }

  all(...bound: Bound): Row[] {
    const { names, rows } = this.#ask(bound);
    return this.#rowsOf(names, rows);
  }

  run(...bound: Bound): { readonly changes: number } {
    return { changes: this.#ask(bound).changes };
  }

  #rowsOf(namesOf: () => readonly string[], rows: readonly (readonly unknown[])[]): Row[] {
    if (this.#form === "plucked") return rows.map((row) => cellOf(row[0]) as Row);
    if (this.#form === "raw") return rows.map((row) => row.map(cellOf) as Row);
    const names = namesOf();
    return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, cellOf(row[at])])) as Row);
  }
}
