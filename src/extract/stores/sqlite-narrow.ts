/** Reading some rows of an allow-list's file without making all of them: its tables are narrowed to what those rows are made of. */
import type Database from "better-sqlite3";
import type { AllowListQuery } from "../allow-list.ts";
import type { IdRange, RowsBy } from "../id-ranges.ts";
import { localTables } from "./sql-locality.ts";
import { plainTable, treesOf } from "./sqlite-trees.ts";

/** What stands before and behind a file's SQL as a source of rows. */
export interface Narrowing {
  readonly ctes: string;
  readonly where: string;
}

export const ALL_ROWS: Narrowing = { ctes: "", where: "" };

/** More ranges than SQLite finds sooner than it reads all rows. */
const MOST_RANGES = 2000;

/**
 * Some rows of a file; all rows where the SQL is not understood: another plan could meet them in another order, and what is
 * made of several rows in an order that the SQL leaves open would come out otherwise.
 */
export function narrowed(
  db: Database.Database,
  { sql }: AllowListQuery,
  { column: of, ranges }: RowsBy,
): Narrowing {
  if (ranges.length > MOST_RANGES) return ALL_ROWS;
  const trees = treesOf(db);
  const find = (name: string) => plainTable(db, trees, name);
  const local = localTables(sql, of, (name) => find(name)?.columns ?? null);
  if (local === null) return ALL_ROWS;
  const ctes = [...local].flatMap(([name, by]) => {
    const table = find(name);
    const column = table?.key != null && by.has(table.key) ? table.key : [...by][0];
    if (table === null || column === undefined) return [];
    // A common table expression stands in for the table of its name, in all that follows.
    return [
      `${quoted(table.name)} AS (SELECT * FROM main.${quoted(table.name)} WHERE ${among(quoted(column), ranges)})`,
    ];
  });
  const where = `WHERE ${among(quoted(of), ranges)}`;
  return { ctes: ctes.length === 0 ? "" : `WITH ${ctes.join(",\n")}`, where };
}

/** `id IN (3,7) OR id BETWEEN 12 AND 19 OR id >= 90` */
function among(column: string, ranges: readonly IdRange[]): string {
  const single = ranges.filter(([first, last]) => first === last).map(([id]) => id);
  const conditions = single.length === 0 ? [] : [`${column} IN (${single.join()})`];
  for (const [first, last] of ranges) {
    if (first === last) continue;
    const ends = [
      ...(Number.isFinite(first) ? [`${column} >= ${first}`] : []),
      ...(Number.isFinite(last) ? [`${column} <= ${last}`] : []),
    ];
    if (ends.length > 0) conditions.push(`(${ends.join(" AND ")})`);
    else return "TRUE";
  }
  return conditions.length === 0 ? "FALSE" : `(${conditions.join(" OR ")})`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
