/** Products that the allow-list leaves out, with the reasons from `products.left-out.sql`. Only the operator sees them. */
import type { BuildInputs } from "../config/inputs.ts";
import { type AllowListQuery, readBeside } from "../extract/allow-list.ts";
import { type StoreReader, valuesOf } from "../extract/store.ts";
import { openStore } from "../store/open.ts";
import type { NotPublic } from "./build-report.ts";

interface LeftOutProduct {
  /** As the shop has it: a number or a text. */
  readonly id: string;
  readonly title: string;
  /** Completes a sentence about the product: `without a price`, `in no public category`. */
  readonly reason: string;
}

/** A file may make a different reason for each row: those beyond this number are counted as one. */
const MOST_REASONS = 20;
const OTHER_REASON = "for another reason";

type Place = Pick<BuildInputs, "store" | "queries" | "now">;

/** Counts the products that the shop shows and the allow-list leaves out, by reason. `query`: null if there is no such file. */
export async function countNotPublic(store: StoreReader, query: AllowListQuery | null): Promise<NotPublic> {
  if (query === null) return {};
  const counts = new Map<string, number>();
  for await (const { reason } of rowsLeftOut(store, query)) {
    const shown = counts.has(reason) || counts.size < MOST_REASONS - 1 ? reason : OTHER_REASON;
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

/**
 * Each product left out, in order of id, streamed from the store.
 * @throws VitrineError store_unreadable, allow_list_invalid
 */
export async function* eachLeftOut({
  store: place,
  queries,
  now,
}: Place): AsyncGenerator<LeftOutProduct, void, undefined> {
  const { leftOut: query } = readBeside(queries);
  if (query === null) return;
  const store = await openStore(place, now, [query]);
  try {
    yield* rowsLeftOut(store, query);
  } finally {
    await store.close();
  }
}

async function* rowsLeftOut(
  store: StoreReader,
  query: AllowListQuery,
): AsyncGenerator<LeftOutProduct, void, undefined> {
  const columns = await store.columns(query);
  const at = ["id", "title", "reason"].map((name) => columns.indexOf(name));
  for await (const rows of store.batches({ ...query, columns })) {
    for (const row of rows) {
      const values = valuesOf(row);
      const [id = "", title = "", reason = ""] = at.map((place) => String(values[place] ?? ""));
      yield { id, title, reason };
    }
  }
}
