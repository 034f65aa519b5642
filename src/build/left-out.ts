/** What the shop shows and the allow-list leaves out, by the words of its own `products.left-out.sql`. It stays with the operator. */
import type { BuildInputs } from "../config/inputs.ts";
import { readLeftOut } from "../extract/allow-list.ts";
import { valuesOf } from "../extract/store.ts";
import { openStore } from "../store/open.ts";

interface LeftOutProduct {
  /** As the shop has it: a number or a text. */
  readonly id: string;
  readonly title: string;
  /** What a sentence about the product ends with: `without a price`, `in no public category`. */
  readonly reason: string;
}

export interface LeftOut {
  /** In order of id. */
  readonly products: readonly LeftOutProduct[];
  /** Reasons with how many products have each, the most frequent first. */
  readonly reasons: readonly (readonly [reason: string, count: number])[];
}

/**
 * Products that the shop shows and the allow-list leaves out; none where no file says so.
 * @throws VitrineError store_unreadable, allow_list_invalid
 */
export async function productsLeftOut({
  store: place,
  queries,
  now,
}: Pick<BuildInputs, "store" | "queries" | "now">): Promise<LeftOut> {
  const query = readLeftOut(queries);
  if (query === null) return { products: [], reasons: [] };
  const store = await openStore(place, now);
  try {
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
    return { products: found, reasons: reasonsOf(found) };
  } finally {
    await store.close();
  }
}

function reasonsOf(products: readonly LeftOutProduct[]): LeftOut["reasons"] {
  const counts = new Map<string, number>();
  for (const { reason } of products) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
