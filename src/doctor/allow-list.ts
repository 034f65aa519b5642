/** The allow-list against the store: columns, rows, how the database reads each file, and what becomes of slugs. */
import { setImmediate as turn } from "node:timers/promises";
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";
import type { SqlTime } from "../base/time.ts";
import { type AllowListQuery, readAllowList } from "../extract/allow-list.ts";
import type { StoreReader } from "../extract/store.ts";
import { openStore } from "../open-store.ts";
import { type Found, ok, problem, warning } from "./finding.ts";
import { type PlanKind, readAgain } from "./plans.ts";
import { SlugCount } from "./slugs.ts";

export interface AllowListOptions {
  readonly store: string;
  readonly kind: PlanKind;
  /** Folder of the files. */
  readonly queries: string;
  readonly now: SqlTime;
  /** After so long no more rows are read. */
  readonly readMilliseconds: number;
}

interface Rows {
  readonly count: number;
  readonly isWhole: boolean;
  readonly slugs: SlugCount | null;
}

async function readRows(store: StoreReader, query: AllowListQuery, until: number): Promise<Rows> {
  const column = query.columns?.find((name) => name === "slug" || name === "slug_source");
  const slugs = column === undefined ? null : new SlugCount(column === "slug_source");
  let count = 0;
  for await (const rows of store.batches(query, column === undefined ? [] : [column])) {
    count += rows.length;
    for (const { id, beside } of rows) slugs?.add(id, beside[0] ?? null);
    if (performance.now() > until) return { count, isWhole: false, slugs };
    await turn();
  }
  return { count, isWhole: true, slugs };
}

function counted(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}

async function checkFile(
  store: StoreReader,
  given: AllowListQuery,
  { kind, until }: { readonly kind: PlanKind; readonly until: number },
): Promise<Found[]> {
  const query = { ...given, columns: await store.columns(given) };
  const again = readAgain(kind, await store.explain(query));
  const { count, isWhole, slugs } = await readRows(store, query, until);
  const replaced = slugs?.replaced ?? 0;
  const parts = [
    counted(query.columns.length, "column"),
    `${isWhole ? "" : "the first "}${counted(count, "row")}`,
    ...(replaced === 0 ? [] : [`${counted(replaced, "slug")} with the id, for others have the same`]),
  ];
  return [
    ok(`${query.file}: ${parts.join(", ")}`),
    ...(slugs?.found(query.file) ?? []),
    ...(again.length === 0
      ? []
      : [
          warning(
            `${query.file}: all of ${again.join(", ")} is read again for each row`,
            "Make an index on the columns that it is joined by; vitrine plan --explain shows the plan.",
          ),
        ]),
  ];
}

/** One file that is wrong keeps none of the others from being looked at. @throws VitrineError */
export async function checkAllowList({
  store: place,
  kind,
  queries: folder,
  now,
  readMilliseconds,
}: AllowListOptions): Promise<Found[]> {
  const queries = Object.values(readAllowList(folder));
  const store = await openStore(place, now);
  try {
    const found: Found[] = [];
    const until = performance.now() + readMilliseconds;
    for (const query of queries) {
      try {
        found.push(...(await checkFile(store, query, { kind, until })));
      } catch (error) {
        if (!(error instanceof VitrineError) || error.code === "store_unreadable") throw error;
        found.push(problem(error.message, "docs/allow-list.md says which columns each file gives."));
      }
    }
    return found;
  } finally {
    await store.close();
  }
}
