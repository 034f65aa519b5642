/** The allow-list against the store: whether each file can be read and has its columns, and how many rows they give. */
import { setImmediate as turn } from "node:timers/promises";
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";
import type { SqlTime } from "../base/time.ts";
import { openStore } from "../build/store.ts";
import { type AllowListQuery, readAllowList } from "../extract/allow-list.ts";
import type { StoreReader } from "../extract/store.ts";
import { type Found, ok, problem } from "./finding.ts";

export interface AllowListOptions {
  readonly store: string;
  /** Folder of the files. */
  readonly queries: string;
  readonly now: SqlTime;
  /** After so long no more rows are read. */
  readonly readMilliseconds: number;
}

/** How many rows a file gives, as far as there is time. */
async function countRows(store: StoreReader, given: AllowListQuery, until: number): Promise<number> {
  const query = { ...given, columns: await store.columns(given) };
  let count = 0;
  for await (const rows of store.batches(query, [])) {
    count += rows.length;
    if (performance.now() > until) break;
    await turn();
  }
  return count;
}

/** One file that is wrong keeps none of the others from being looked at. @throws VitrineError */
export async function checkAllowList(options: AllowListOptions): Promise<Found[]> {
  const queries = Object.values(readAllowList(options.queries));
  const store = await openStore(options.store, options.now);
  try {
    const problems: Found[] = [];
    let rows = 0;
    const until = performance.now() + options.readMilliseconds;
    for (const query of queries) {
      try {
        rows += await countRows(store, query, until);
      } catch (error) {
        if (!(error instanceof VitrineError) || error.code === "store_unreadable") throw error;
        problems.push(problem(error.message, "docs/allow-list.md says which columns each file gives."));
      }
    }
    const fine = queries.length - problems.length;
    const least = performance.now() > until ? "at least " : "";
    return [
      ok(`${fine} of ${queries.length} files can be read, ${least}${formatCount(rows)} rows`),
      ...problems,
    ];
  } finally {
    await store.close();
  }
}
