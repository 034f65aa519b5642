/**
 * The port to SQLite of all code that a catalog is answered and followed by. better-sqlite3 has this shape; inside Cloudflare it is
 * made of a Durable Object's storage. Its user is within a transaction that somebody else begins and ends: there a statement can do
 * neither. Statements hand out rows and no cursors, because a cursor that is not read to its end blocks every later DROP there.
 * BLOBs are buffers.
 */

export interface SqlStatement<Bound extends unknown[] = unknown[], Row = unknown> {
  /** From now on, a row is its first column alone. */
  pluck(): this;
  /** From now on, a row is an array of its columns. */
  raw(): this;
  get(...bound: Bound): Row | undefined;
  all(...bound: Bound): Row[];
  /** `changes` is 0 if no row was written. */
  run(...bound: Bound): { readonly changes: number };
}

export interface Sql {
  prepare<Bound extends unknown[] = unknown[], Row = unknown>(text: string): SqlStatement<Bound, Row>;
  /** Runs one statement or several. The text must have at least one, and end with it: no comment follows. */
  exec(text: string): unknown;
}
