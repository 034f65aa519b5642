/**
 * Digests of some columns of a whole table: equal ones say that a file of the allow-list that reads no other columns of it
 * has the same rows, whatever else of the table changed.
 */
import { createHash } from "node:crypto";
import Database from "better-sqlite3";
import type { ColumnsRead } from "./sqlite-plan.ts";
import type { Tree } from "./sqlite-trees.ts";

/** A table and columns of it, and a SHA-256 of its rows: of each the rowid and those columns. */
export type Projections = ReadonlyMap<string, string>;

/** A projection of at most this share of a table's columns is made: of more, it costs what reading the file costs. */
const MOST_COLUMNS = 0.25;

/** Rows that SQLite makes one text of. */
const BATCH_ROWS = 200;

const ROWIDS = ["rowid", "_rowid_", "oid"];

export function projectionName(table: string, columns: ReadonlySet<string>): string {
  return JSON.stringify([table, ...[...columns].sort()]);
}

/** @param kept digests that still hold */
export function projectionsOf(
  db: Database.Database,
  trees: Iterable<Tree>,
  reads: readonly ColumnsRead[],
  kept: (table: string, name: string) => string | undefined,
): Projections {
  const projections = new Map<string, string>();
  for (const { name: tree, table, columns } of trees) {
    if (tree !== table || columns === null) continue;
    const wanted = new Map<string, readonly string[]>();
    for (const read of reads) {
      const names = read.get(table) ?? null;
      if (names === null || names.size > columns.length * MOST_COLUMNS) continue;
      const name = projectionName(table, names);
      const digest = kept(table, name);
      if (digest === undefined) wanted.set(name, [...names].sort());
      else projections.set(name, digest);
    }
    const digests = digestsOf(db, table, columns, [...wanted.values()]);
    for (const [at, name] of [...wanted.keys()].entries()) {
      const digest = digests[at];
      if (digest !== undefined) projections.set(name, digest);
    }
  }
  return projections;
}

/** Of each of these projections, all of which one reading of the table gives; none where a value is no text or number. */
function digestsOf(
  db: Database.Database,
  table: string,
  columns: readonly string[],
  projections: readonly (readonly string[])[],
): readonly string[] {
  const taken = new Set(columns.map((column) => column.toLowerCase()));
  const rowid = ROWIDS.find((name) => !taken.has(name));
  if (projections.length === 0 || rowid === undefined) return [];
  const hashes = projections.map(() => createHash("sha256"));
  try {
    const batch = db.prepare<[number | bigint], [bigint | null, ...Buffer[]]>(
      batchOf(table, rowid, projections),
    );
    batch.raw().safeIntegers();
    // Less than any rowid.
    let after: number | bigint | null = -1e19;
    while (after !== null) {
      const [last, ...texts]: [bigint | null, ...Buffer[]] = batch.get(after) ?? [null];
      if (last !== null) for (const [at, text] of texts.entries()) hashes[at]?.update(text);
      after = last;
    }
  } catch (error) {
    if (error instanceof Database.SqliteError) return [];
    throw error;
  }
  return hashes.map((hash) => hash.digest("base64"));
}

/** Rows after a rowid: the last one's rowid, and of each projection the texts as bytes, also where they are no UTF-8. */
function batchOf(table: string, rowid: string, projections: readonly (readonly string[])[]): string {
  const rows = projections.map((columns, at) => {
    const values = [rowid, ...columns.map(quoted)].map((name) => `t.${name}`);
    return `json_array(${values.join(", ")}) AS row_${at}`;
  });
  const texts = projections.map((_, at) => `CAST(group_concat(row_${at}, '') AS BLOB)`);
  return `SELECT MAX(id), ${texts.join(", ")} FROM (
    SELECT t.${rowid} AS id, ${rows.join(", ")}
    FROM main.${quoted(table)} AS t NOT INDEXED
    WHERE t.${rowid} > ? ORDER BY t.${rowid} LIMIT ${BATCH_ROWS}
  )`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
