/** From what triggers wrote down to the files of the allow-list, and to the rows of them, that may differ. Pure. */
import type { AllowListQuery } from "../allow-list.ts";
import { makesSlugs } from "../fit.ts";
import { mergedRanges, type RowsBy } from "../id-ranges.ts";
import type { StoreChanges } from "../store.ts";
import { type FileReads, readsOf, type StoreSchema } from "./reads.ts";

/** More rows than these are read with all others. */
const MOST_IDS = 2000;

/** Tables of the capture's own. */
export const CHANGES = "vitrine_change";
export const REGISTRY = "vitrine_capture";

/** The registry's row of the last prune: no table has this name. */
export const PRUNED = "*";

/** A table as it was when its triggers were made. */
export interface Captured {
  readonly columns: readonly string[];
  readonly keys: readonly string[];
}

/** What a trigger wrote: a table was changed. */
export interface Change {
  readonly table: string;
  /** Columns that differ; null: all, a row came or went. */
  readonly columns: readonly string[] | null;
  /** Values of key columns before and after; null where no row is named. */
  readonly keys: Readonly<Record<string, readonly unknown[]>> | null;
}

/** What is kept of a build: where in the changes it stood, and what the tables were. */
export interface CaptureState {
  /** Of one installation of the capture. */
  readonly epoch: string;
  /** Of the adapter: which changes it has seen. */
  readonly cursor: unknown;
  readonly identities: Readonly<Record<string, string>>;
}

/** What a prune leaves behind: which changes are gone, and which prune it was. */
export interface Pruned {
  /** Of the adapter: changes below it are gone. */
  readonly below: string;
  readonly id: string;
}

/** The capture as it stands in the store. */
export interface Capture {
  readonly epoch: string;
  readonly pruned: Pruned | null;
  readonly tables: ReadonlyMap<string, Captured>;
  readonly schema: StoreSchema;
}

const MAGIC = "vitrine capture 1\n";

export function formatState(state: CaptureState): Buffer {
  return Buffer.from(MAGIC + JSON.stringify(state));
}

/** Null where it is none: another store's, or of another version. */
export function parseState(bytes: Buffer | null): CaptureState | null {
  const text = bytes?.toString() ?? "";
  return text.startsWith(MAGIC) ? (JSON.parse(text.slice(MAGIC.length)) as CaptureState) : null;
}

export function identitiesOf({ schema }: Capture): Record<string, string> {
  return Object.fromEntries(
    [...schema.tables].map(([table, { identity, columns }]) => [table, `${identity} ${columns.join()}`]),
  );
}

/** True where each change of a table is written down. */
export function isCaptured({ tables, schema }: Capture, table: string, triggers: number): boolean {
  const [captured, now] = [tables.get(table), schema.tables.get(table)];
  return (
    captured !== undefined && now?.triggers === triggers && now.columns.join() === captured.columns.join()
  );
}

/** What bears on a file: nothing, some rows, or any. */
type Extent = "none" | "any" | Set<number>;

function extentOf(reads: FileReads, changes: readonly Change[], capture: Capture): Extent {
  const ids = new Set<number>();
  let isChanged = false;
  for (const { table, columns, keys } of changes) {
    const use = reads?.get(table);
    if (use === undefined) continue;
    if (
      columns !== null &&
      use.columns !== null &&
      !columns.some((column) => use.columns?.has(column.toLowerCase()))
    )
      continue;
    isChanged = true;
    const values = use.key === null || keys === null ? undefined : keys[use.key];
    if (values === undefined || !capture.tables.get(table)?.keys.includes(use.key ?? "")) return "any";
    for (const value of values) {
      if (typeof value === "number") ids.add(value);
      else if (value !== null) return "any";
    }
  }
  if (!isChanged) return "none";
  return ids.size > MOST_IDS ? "any" : ids;
}

/** @param triggers how many a captured table has */
export function filesChanged(
  capture: Capture,
  before: CaptureState,
  changes: readonly Change[],
  queries: readonly AllowListQuery[],
  triggers: number,
): Pick<StoreChanges, "changed" | "within"> {
  const changed = new Set<string>();
  const within = new Map<string, RowsBy>();
  const now = identitiesOf(capture);
  const isSound = (table: string) =>
    isCaptured(capture, table, triggers) && now[table] === before.identities[table];
  for (const query of queries) {
    const { name, sql } = query;
    const reads = readsOf(sql, capture.schema);
    const isTold = reads !== null && [...reads.keys()].every(isSound);
    const extent = isTold ? extentOf(reads, changes, capture) : "any";
    if (extent === "none") continue;
    changed.add(name);
    if (extent !== "any" && !makesSlugs(query))
      within.set(name, { column: "id", ranges: mergedRanges([...extent].map((id) => [id, id] as const)) });
  }
  return { changed, within };
}
