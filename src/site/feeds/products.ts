/** Products for feeds, as the API shows them. */
import { hasPrice } from "../../api/money.ts";
import type { Product } from "../../api/records/product.ts";
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

/**
 * Fields of a product in which the API's 0 means unknown: it would be counted in a sum or a mean. `rating_summary.average`
 * has no ratings, prices are still to be decided.
 */
export function unknownIn(product: Product): string[] {
  const { status, pricing, rating_summary: rating } = product;
  const isOpen = status !== "published" && pricing.regular === 0 && pricing.sale === null;
  return [
    ...(rating.count === 0 ? ["rating_summary.average"] : []),
    ...(isOpen ? ["price", "pricing.regular"] : []),
    ...(isOpen && pricing.extended === 0 ? ["pricing.extended"] : []),
    ...(hasPrice(product) ? [] : ["pricing.current"]),
  ];
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
