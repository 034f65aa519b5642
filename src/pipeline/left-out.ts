/** Products that the allow-list leaves out, with the reasons from `products.left-out.sql`. Only the operator sees them. */
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";
import type { BuildInputs } from "../config/inputs.ts";
import { type AllowListQuery, readAllowList, readLeftOut } from "../extract/allow-list.ts";
import { type StoreReader, valuesOf } from "../extract/store.ts";
import { openStore } from "../store/open.ts";

interface LeftOutProduct {
  /** As the shop has it: a number or a text. */
  readonly id: string;
  readonly title: string;
  /** Completes a sentence about the product: `without a price`, `in no public category`. */
  readonly reason: string;
}

export interface LeftOut {
  readonly count: number;
  /** True if the shop has no other products: none becomes public. */
  readonly isAll: boolean;
  /** Reasons with the number of products for each, the most frequent first; at most {@link MOST_REASONS}. */
  readonly reasons: readonly (readonly [reason: string, count: number])[];
}

/** A file may make a different reason for each row: those beyond this number are counted as one. */
const MOST_REASONS = 20;
const OTHER_REASON = "for another reason";

type Place = Pick<BuildInputs, "store" | "queries" | "now">;

/**
 * How many products the allow-list leaves out, and why; zero if it has no such file.
 * @throws VitrineError store_unreadable, allow_list_invalid
 */
export async function productsLeftOut({ store: place, queries, now }: Place): Promise<LeftOut> {
  const query = readLeftOut(queries);
  if (query === null) return NOTHING_LEFT_OUT;
  const store = await openStore(place, now);
  try {
    return await readProductsLeftOut(store, query, readAllowList(queries)["products"]);
  } finally {
    await store.close();
  }
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
  const query = readLeftOut(queries);
  if (query === null) return;
  const store = await openStore(place, now);
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

const NOTHING_LEFT_OUT: LeftOut = { count: 0, isAll: false, reasons: [] };

/** @throws VitrineError rows_invalid if all products are left out */
export function refuseNothing({ count, isAll, reasons }: LeftOut): void {
  if (!isAll) return;
  const counts = reasons.map(([reason, count]) => `${formatCount(count)} ${reason}`).join(", ");
  throw new VitrineError(
    "rows_invalid",
    `None of the ${formatCount(count)} products that the shop shows would become public: ${counts}. ` +
      "Change the SQL files: vitrine doctor --left-out lists the products.",
  );
}

/** @param products the file that says which products become public @throws VitrineError store_unreadable, allow_list_invalid */
async function readProductsLeftOut(
  store: StoreReader,
  query: AllowListQuery,
  products: AllowListQuery | undefined,
): Promise<LeftOut> {
  const counts = new Map<string, number>();
  let count = 0;
  for await (const { reason } of rowsLeftOut(store, query)) {
    const shown = counts.has(reason) || counts.size < MOST_REASONS - 1 ? reason : OTHER_REASON;
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
    count += 1;
  }
  let isAll = count > 0 && products !== undefined;
  if (products !== undefined && isAll) {
    const one = {
      ...products,
      sql: `SELECT 1 AS one FROM (\n${products.sql}\n) AS t LIMIT 1`,
      columns: ["one"],
    };
    for await (const rows of store.batches(one)) isAll = rows.length === 0;
  }
  const reasons = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return { isAll, count, reasons };
}
