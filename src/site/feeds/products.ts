/** Products as feeds tell of them: what the API shows. */
import type { Catalog } from "../../catalog/catalog.ts";
import { resourceNamed } from "../../catalog/resources.ts";
import { type FeedProduct, showsDetail } from "./feed.ts";

/** Addresses of its images as a format reads them, each once. */
export function imagesOf(product: FeedProduct, read: (address: string) => string | null): string[] {
  const images = [product.image, ...(product.gallery ?? [])].map((image) => read(image));
  return [...new Set(images.filter((image) => image !== null))];
}

export function describe(product: FeedProduct): string {
  return product.description || product.description_short || product.excerpt;
}

/** Without the detail's part where the shop does not offer that. */
function shownProduct({ config }: Catalog, product: FeedProduct): FeedProduct {
  if (showsDetail(config, "product")) return product;
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
