/** Which row an allow-list's SQL failed at: SQLite says what went wrong, not where. Costs some twenty reads of the file. */
import type Database from "better-sqlite3";

export interface FailedRow {
  readonly id: string;
  readonly column: string;
}

/** @param source the file's SQL as a source of rows; `bound` is what its parameters are bound to. */
export function findFailedRow(
  db: Database.Database,
  source: string,
  columns: readonly string[],
  bound: readonly object[],
): FailedRow | null {
  /** True where reading a column of some rows fails. */
  const fails = (column: string, condition: string, ids: readonly unknown[] = []): boolean => {
    try {
      db.prepare(`SELECT COUNT(${column}) FROM ${source} ${condition}`).get(...bound, ...ids);
      return false;
    } catch {
      return true;
    }
  };
  const column = columns.find((name) => fails(name, ""));
  if (column === undefined || !columns.includes("id") || fails("id", "")) return null;
  const ids = db
    .prepare<unknown[], unknown>(`SELECT id FROM ${source} ORDER BY id`)
    .pluck()
    .all(...bound);
  let first = 0;
  let end = ids.length;
  while (end - first > 1) {
    const middle = (first + end) >> 1;
    const isBefore = fails(column, "WHERE id >= ? AND id < ?", [ids[first] ?? null, ids[middle] ?? null]);
    if (isBefore) end = middle;
    else first = middle;
  }
  const id = ids[first] ?? null;
  // What fails for other rows as well is not one row's fault.
  const isOne = fails(column, "WHERE id = ?", [id]) && !fails(column, "WHERE id <> ?", [id]);
  return isOne ? { id: String(id), column } : null;
}
