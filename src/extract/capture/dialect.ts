/** What the capture asks of a kind of database. */
import type { StoreValue } from "../store.ts";
import type { Captured, Change, Pruned } from "./changes.ts";
import type { StoreSchema } from "./reads.ts";

/** Runs a SELECT and gives its rows. */
export type Ask = (sql: string) => Promise<readonly (readonly StoreValue[])[]>;

export interface ChangesRead {
  /** Says to the next build what this one has seen. */
  readonly cursor: unknown;
  /** Null where not all changes since are known. */
  readonly changes: readonly Change[] | null;
}

export interface CaptureDialect {
  /** How many triggers a captured table has. */
  readonly triggers: number;
  readSchema(ask: Ask): Promise<StoreSchema>;
  /**
   * @param cursor of an earlier build; null where there is none
   * @param pruned the last prune; null where nothing was pruned yet
   */
  readChanges(ask: Ask, cursor: unknown, pruned: Pruned | null): Promise<ChangesRead>;
  /** Below what to prune, so that the newest `keep` changes stay; null where there are no more than these. */
  pruneBelow(ask: Ask, keep: number): Promise<string | null>;
  /** Statements that prune, all or none of them. */
  pruneSql(pruned: Pruned): readonly string[];
  /** Statements that make it, where none is; they are all of an installation. */
  installSql(tables: ReadonlyMap<string, Captured>, epoch: string): readonly string[];
  /** Statements that remove whatever there is of it. */
  removeSql(ask: Ask): Promise<readonly string[]>;
}

/** More changes than these are not looked at one by one. */
export const MOST_CHANGES = 100_000;

/** Rows of `tbl, cols, ids`. */
export function changesOf(rows: readonly (readonly StoreValue[])[]): Change[] {
  return rows.map(([table, columns, ids]) => ({
    table: String(table).toLowerCase(),
    columns: columns === null ? null : String(columns).split(","),
    keys: ids === null ? null : (JSON.parse(String(ids)) as Change["keys"]),
  }));
}

/** By the lower case of the first cell: the second cells of all rows. */
export function groupRows(rows: readonly (readonly StoreValue[])[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of rows) {
    const key = String(name).toLowerCase();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [String(value)]);
    else group.push(String(value));
  }
  return groups;
}

/** The first cells of rows, in lower case. */
export function namesOf(rows: readonly (readonly StoreValue[])[]): Set<string> {
  return new Set(rows.map(([name]) => String(name).toLowerCase()));
}
