/** From what triggers wrote down to the files of the allow-list, and to the rows of them, that may differ. Pure. */
import type { AllowListQuery } from "../allow-list.ts";
import { makesSlugs } from "../fit.ts";
import type { RowsBy, StoreChanges } from "../store.ts";
import type { Change, Source, StoreSchema, StoreTable } from "./dialect.ts";
import { type FileReads, isTellingColumn, rowsLines, withParents } from "./reads.ts";

/** More rows of a file than these are read with all others. */
const MOST_IDS = 2000;

interface Given {
  readonly changes: readonly Change[];
  readonly sources: readonly Source[];
  readonly schema: StoreSchema;
  /** `reads`: null where the file may read anything. */
  readonly files: readonly { readonly query: AllowListQuery; readonly reads: FileReads | null }[];
  /** True where each change of a table is written down. */
  readonly isTold: (table: StoreTable) => boolean;
}

/** Numbers of changed rows by the number of their source; "any" where one is not named by a number. */
type Keys = Map<number, Set<number> | "any">;

function keysOf(changes: readonly Change[]): Keys {
  const keys: Keys = new Map();
  for (const [source, id] of changes) {
    const known = keys.get(source) ?? new Set();
    const isNumber = typeof id === "number" && Number.isSafeInteger(id);
    keys.set(source, known === "any" || !isNumber ? "any" : known.add(id));
  }
  return keys;
}

/** Of a file, by its columns, the numbers of rows that may differ; "any" where it may be any row. */
function extentOf(query: AllowListQuery, { tables }: FileReads, sources: readonly Source[], keys: Keys) {
  const lines = rowsLines(query.sql);
  const rows = new Map<string, Set<number>>();
  const changed = [...keys].map(([number, values]) => ({ ...sources[number - 1], number, values }));
  for (const { name, sql } of tables) {
    const own = changed.filter(({ table }) => table === sql);
    if (own.some(({ values }) => values === "any")) return "any";
    if (own.length === 0) continue;
    const told = lines.filter(({ table }) => table === name);
    if (told.length === 0) return "any";
    for (const { column, to } of told) {
      const isKey = (each: Source) => each.table === sql && each.column?.toLowerCase() === column;
      if (!isTellingColumn(query.name, to) || !sources.some(isKey)) return "any";
      const known = rows.get(to) ?? new Set<number>();
      rows.set(to, known);
      for (const { column: key, values } of own)
        if (key?.toLowerCase() === column) for (const value of values) known.add(Number(value));
    }
  }
  return [...rows.values()].some(({ size }) => size > MOST_IDS) ? "any" : rows;
}

export function filesChanged(given: Given): Pick<StoreChanges, "changed" | "within"> {
  const { changes, sources, schema, files, isTold } = given;
  const keys = keysOf(changes);
  // A number that stands for nothing: nobody knows what it was to say.
  if ([...keys.keys()].some((number) => sources[number - 1] === undefined)) return { changed: "all" };
  const changed = new Set<string>();
  const within = new Map<string, readonly RowsBy[]>();
  for (const { query, reads } of files) {
    const isSound = reads !== null && [...withParents(reads.tables, schema)].every(isTold);
    const extent = isSound ? extentOf(query, reads, sources, keys) : "any";
    if (extent !== "any" && extent.size === 0) continue;
    changed.add(query.name);
    if (extent === "any" || makesSlugs(query)) continue;
    within.set(
      query.name,
      [...extent].map(([column, ids]) => ({ column, ids: [...ids] })),
    );
  }
  return { changed, within };
}
