/** Products for feeds, as the API shows them. */
import type { Catalog } from "../../catalog/catalog.ts";
import { resourceNamed } from "../../catalog/resources.ts";
import { type FeedProduct, showsDetail } from "./feed.ts";

/** Addresses of its images without duplicates, as `read` accepts them for a format. */
export function imagesOf(product: FeedProduct, read: (address: string) => string | null): string[] {
  const images = [product.image, ...(product.gallery ?? [])].map((image) => read(image));
  return [...new Set(images.filter((image) => image !== null))];
}

export function describe(product: FeedProduct): string {
  return product.description || product.description_short || product.excerpt;
}

/** Without the detail fields if the shop does not offer them. */
function shownProduct({ config }: Catalog, product: FeedProduct): FeedProduct {
  if (showsDetail(config, "product")) return product;
  const { gallery: _, description, description_html, faqs, latest_release, ...list } = product;
  return list;
}

export function readProduct(catalog: Catalog, id: number): FeedProduct | null {
  const json = catalog.detail(resourceNamed("product"), id);
  return json === null ? null : shownProduct(catalog, JSON.parse(json) as FeedProduct);
}

/** All products, one after the other. */
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
