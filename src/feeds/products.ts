/** Products as feeds tell of them: what the API shows. */
import type { Catalog } from "../catalog/catalog.ts";
import { resourceNamed } from "../catalog/resources.ts";
import { type FeedProduct, offers } from "./feed.ts";

/** Without the detail's part where the shop does not offer that. */
function shownProduct({ config }: Catalog, product: FeedProduct): FeedProduct {
  if (offers(config, "product")) return product;
  const { gallery: _, description, description_html, faqs, latest_release, ...list } = product;
  return list;
}

export function readProduct(catalog: Catalog, id: number): FeedProduct | null {
  const json = catalog.detail(resourceNamed("product"), id);
  return json === null ? null : shownProduct(catalog, JSON.parse(json) as FeedProduct);
}

/** All, one after the other. */
export function* readProducts(catalog: Catalog): Generator<FeedProduct> {
  const rows = catalog.db
    .prepare<[], [list: string, added: string]>(
      "SELECT l.json, a.json FROM product_list l JOIN product_added a USING (id) ORDER BY l.id",
    )
    .raw()
    .iterate();
  for (const [list, added] of rows)
    yield shownProduct(catalog, { ...JSON.parse(list), ...JSON.parse(added) } as FeedProduct);
}
