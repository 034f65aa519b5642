/** What the allow-list leaves out, by the words of its own `products.left-out.sql`. It stays with the operator. */
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
  /** What a sentence about the product ends with: `without a price`, `in no public category`. */
  readonly reason: string;
}

export interface LeftOut {
  /** The table of which the file tells all rows; null where it tells of what the shop shows. */
  readonly table: string | null;
  /** In order of id. */
  readonly products: readonly LeftOutProduct[];
  /** True where that is all there is: no product becomes public. */
  readonly isAll: boolean;
  /** Reasons with how many products have each, the most frequent first. */
  readonly reasons: readonly (readonly [reason: string, count: number])[];
}

/** Of a line `-- all rows of: products` in the file. */
const ALL_ROWS = /^--[ \t]*all rows of:[ \t]*(.*\S)/im;

/**
 * Products that the allow-list leaves out; none where no file says so.
 * @throws VitrineError store_unreadable, allow_list_invalid
 */
export async function productsLeftOut({
  store: place,
  queries,
  now,
}: Pick<BuildInputs, "store" | "queries" | "now">): Promise<LeftOut> {
  const query = readLeftOut(queries);
  if (query === null) return NOTHING_LEFT_OUT;
  const store = await openStore(place, now);
  try {
    return await readProductsLeftOut(store, query, readAllowList(queries, "shown")["products"]);
  } finally {
    await store.close();
  }
}

export const NOTHING_LEFT_OUT: LeftOut = { table: null, products: [], isAll: false, reasons: [] };

/** @throws VitrineError rows_invalid where all products are left out */
export function refuseNothing({ table, products, isAll, reasons }: LeftOut, advice: string): void {
  if (!isAll) return;
  const counts = reasons.map(([reason, count]) => `${formatCount(count)} ${reason}`).join(", ");
  const what = table === null ? "products that the shop shows" : `rows of ${table}`;
  throw new VitrineError(
    "rows_invalid",
    `None of the ${formatCount(products.length)} ${what} would become public: ${counts}. ${advice}`,
  );
}

/** @param products the file that says which become public @throws VitrineError store_unreadable, allow_list_invalid */
export async function readProductsLeftOut(
  store: StoreReader,
  query: AllowListQuery,
  products: AllowListQuery | undefined,
): Promise<LeftOut> {
  const columns = await store.columns(query);
  const at = ["id", "title", "reason"].map((name) => columns.indexOf(name));
  const found: LeftOutProduct[] = [];
  for await (const rows of store.batches({ ...query, columns })) {
    for (const row of rows) {
      const values = valuesOf(row);
      const [id = "", title = "", reason = ""] = at.map((place) => String(values[place] ?? ""));
      found.push({ id, title, reason });
    }
  }
  let isAll = found.length > 0 && products !== undefined;
  if (products !== undefined && isAll) {
    const one = {
      ...products,
      sql: `SELECT 1 AS one FROM (\n${products.sql}\n) AS t LIMIT 1`,
      columns: ["one"],
    };
    for await (const rows of store.batches(one)) isAll = rows.length === 0;
  }
  return { isAll, table: ALL_ROWS.exec(query.sql)?.[1] ?? null, products: found, reasons: reasonsOf(found) };
}

function reasonsOf(products: readonly LeftOutProduct[]): LeftOut["reasons"] {
  const counts = new Map<string, number>();
  for (const { reason } of products) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
