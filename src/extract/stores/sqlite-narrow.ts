/** Reading some rows of an allow-list's file without making all of them: its tables are narrowed to what those rows are made of. */
import type Database from "better-sqlite3";
import { type IdRange, mergedRanges, type RowsBy } from "../id-ranges.ts";
import { type Locality, localTables } from "./sql-locality.ts";
import { type PlainTable, plainTable, treesOf } from "./sqlite-trees.ts";

/** What stands before and behind a file's SQL as a source of rows. */
export interface Narrowing {
  readonly ctes: string;
  readonly where: string;
}

export const ALL_ROWS: Narrowing = { ctes: "", where: "" };

/** More are read no sooner one by one than all rows at once. */
const MOST_NUMBERS = 20_000;
/** SQLite refuses an expression that is a thousand deep, and each range makes it deeper by one. */
const MOST_RANGES = 500;
/** A range of fewer is so many numbers. */
const LEAST_OF_RANGE = 32;

type Find = (name: string) => PlainTable | null;

/** A table's rows that are wanted. */
interface Part {
  readonly table: PlainTable;
  readonly column: string;
  readonly ranges: readonly IdRange[];
}

/**
 * Some rows of a file; all rows where the SQL is not understood: another plan could meet them in another order, and what is
 * made of several rows in an order that the SQL leaves open would come out otherwise.
 * @param owner the column of the file that says whose its rows are, if any: where they are told by another column, what only
 *   their owners' rows are made of is left out as well
 */
export function narrowed(
  db: Database.Database,
  sql: string,
  { column: of, ranges }: RowsBy,
  owner?: string,
): Narrowing {
  const trees = treesOf(db);
  const find: Find = (name) => plainTable(db, trees, name);
  const columnsOf = (name: string) => find(name)?.columns ?? null;
  const local = localTables(sql, of, columnsOf);
  const where = among(quoted(of), ranges);
  if (local === null || where === null) return ALL_ROWS;
  const parts = partsOf(local, ranges, find);
  const byOwner = owner === undefined || owner === of ? null : localTables(sql, owner, columnsOf);
  const owners = byOwner && ownersIn(db, byOwner, parts);
  const others = byOwner && owners ? partsOf(byOwner, owners, find) : [];
  const ctes = [...new Map([...others, ...parts]).values()].map(
    // A common table expression stands in for the table of its name, in all that follows.
    (part) => `${quoted(part.table.name)} AS (SELECT * FROM ${rowsOf(part)})`,
  );
  return {
    ctes: ctes.length === 0 ? "" : `WITH ${ctes.join(",\n")}`,
    where: `WHERE ${where}`,
  };
}

function rowsOf({ table, column, ranges }: Part): string {
  return `main.${quoted(table.name)} WHERE ${among(quoted(column), ranges) ?? "TRUE"}`;
}

/** What is wanted of each table that is local; nothing is left out of the others. */
function partsOf({ tables }: Locality, ranges: readonly IdRange[], find: Find): Map<string, Part> {
  const parts = new Map<string, Part>();
  for (const [name, by] of tables) {
    const table = find(name);
    const column = table?.key != null && by.has(table.key) ? table.key : [...by][0];
    if (table !== null && column !== undefined) parts.set(name, { table, column, ranges });
  }
  return parts;
}

/**
 * The owners of the rows that are wanted; null where they are not certain, or too many. Where each row of the file is made of
 * one of a table, of which its owner is a column, the table's own rows name all owners that there can be.
 */
function ownersIn(
  db: Database.Database,
  { tables, joined }: Locality,
  parts: ReadonlyMap<string, Part>,
): IdRange[] | null {
  for (const [name, part] of parts) {
    const [owner] = tables.get(name) ?? [];
    if (owner === undefined || !joined.has(name)) continue;
    const sql = `SELECT DISTINCT ${quoted(owner)} FROM ${rowsOf(part)} LIMIT ${MOST_NUMBERS + 1}`;
    const owners = db.prepare<[], unknown>(sql).pluck().all();
    const isCertain = owners.length <= MOST_NUMBERS && owners.every((id) => Number.isSafeInteger(id));
    return isCertain ? mergedRanges((owners as number[]).map((id) => [id, id])) : null;
  }
  return null;
}

/** `id IN (3,7) OR (id >= 40 AND id <= 90) OR (id >= 900)`; null where that would be too long. */
function among(column: string, ranges: readonly IdRange[]): string | null {
  const isShort = ([first, last]: IdRange) => last - first < LEAST_OF_RANGE;
  const long = ranges.filter((range) => !isShort(range));
  const numbers: number[] = [];
  for (const [first, last] of ranges.filter(isShort))
    for (let number = first; number <= last; number++) numbers.push(number);
  if (long.length > MOST_RANGES || numbers.length > MOST_NUMBERS) return null;
  const conditions = numbers.length === 0 ? [] : [`${column} IN (${numbers.join()})`];
  for (const [first, last] of long) {
    const ends = [
      ...(Number.isFinite(first) ? [`${column} >= ${first}`] : []),
      ...(Number.isFinite(last) ? [`${column} <= ${last}`] : []),
    ];
    if (ends.length === 0) return "TRUE";
    conditions.push(`(${ends.join(" AND ")})`);
  }
  return conditions.length === 0 ? "FALSE" : conditions.join(" OR ");
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
