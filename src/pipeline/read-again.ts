/** A second look at files that gave no row, before their records are deleted. */
import { RECORDS } from "../api/records.ts";
import { VitrineError } from "../base/error.ts";
import type { BuildInputs } from "../config/inputs.ts";
import type { AllowList, AllowListQuery } from "../extract/allow-list.ts";
import type { KnownRows } from "../extract/extraction.ts";
import type { StoreReader } from "../extract/store.ts";
import { openStore } from "../store/open.ts";
import { ChangedMeanwhile } from "../store/passing.ts";

interface ReadStore {
  readonly inputs: Pick<BuildInputs, "store" | "now">;
  readonly queries: AllowList;
}

/**
 * Reads files again, as the store is now, that were empty and had rows in the last build: an import may have emptied a table
 * for a moment. The files that were empty then, too, are believed.
 * @param before of the last build; null if nothing is remembered: then each empty file is read again
 * @throws VitrineError store_unreadable if one of them has rows now
 */
export async function readAgain(
  { inputs, queries }: ReadStore,
  before: Pick<KnownRows, "files"> | null,
  now: Pick<KnownRows, "files">,
): Promise<void> {
  const emptied = RECORDS.flatMap(({ file }) => {
    const query = queries[file];
    const hadRows = before === null || before.files[file] !== undefined;
    return query !== undefined && now.files[file] === undefined && hadRows ? [query] : [];
  });
  if (emptied.length === 0) return;
  const store = await openStore(inputs.store, inputs.now, emptied);
  try {
    for (const query of emptied) {
      if (!(await hasRows(store, query))) continue;
      throw new VitrineError(
        "store_unreadable",
        `${query.file} gave no row, and a moment later it gives some: the store is being changed. Nothing was built. ` +
          "Build again once the import or the migration has ended.",
        { cause: new ChangedMeanwhile(query.file) },
      );
    }
  } finally {
    await store.close();
  }
}

/** True if a file gives at least one row. */
export async function hasRows(store: StoreReader, query: AllowListQuery): Promise<boolean> {
  const sql = `SELECT 1 AS one FROM (\n${query.sql}\n) AS file LIMIT 1`;
  for await (const rows of store.batches({ ...query, sql, columns: ["one"] })) return rows.length > 0;
  return false;
}
