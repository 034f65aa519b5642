/**
 * What a feed is: files of a snapshot that machines other than the API's clients ask for. A feed reads the catalog alone and
 * says which files it has and which of them a change may change; `feeds.ts` puts all feeds together.
 */

import type { PublicConfig } from "../api/config.ts";
import type { EndpointPath } from "../api/endpoints.ts";
import type { Category } from "../api/records/category.ts";
import type { BlogPost } from "../api/records/post.ts";
import type { Product, ProductDetail } from "../api/records/product.ts";
import type { Release } from "../api/records/release.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ResourceName } from "../catalog/resources.ts";
import type { FeedName } from "./report.ts";

/** A catalog before and after a change of some rows. */
export interface CatalogChange {
  readonly before: Catalog;
  readonly after: Catalog;
  readonly rows: ReadonlyMap<
    ResourceName,
    { readonly put: readonly { readonly id: number }[]; readonly deleted: readonly number[] }
  >;
}

/** SHA-256 of a file as it is by now, hexadecimal; null where there is none. */
export type Written = (key: string) => string | null;

/** A file, made when those before it are written; or one that is gone. */
export type FeedFile =
  | { readonly key: string; make(written: Written): string | Buffer }
  | { readonly gone: string };

/** A feed whose files fit into memory, one at a time. */
export interface Feed {
  /** All its files. */
  files(catalog: Catalog): Iterable<FeedFile>;
  /** Those that a change may change, and those that it takes away: too many rather than too few. */
  changed(change: CatalogChange): Iterable<FeedFile>;
  count(catalog: Catalog): number;
}

/** Of a product what the API shows of it: without the detail's part where the shop does not offer that. */
export type FeedProduct = Product & Partial<ProductDetail>;

/** What the records are that feeds list. */
export interface FeedRecords {
  readonly product: Product;
  readonly category: Category;
  readonly release: Release;
  readonly post: BlogPost;
}

export function offers({ endpoints }: PublicConfig, path: EndpointPath): boolean {
  return endpoints.some((one) => one === path);
}

/** False where the shop offers a list and no details of it: only those of products have an endpoint of their own. */
export function showsDetail(config: PublicConfig, resource: ResourceName): boolean {
  return resource !== "product" || offers(config, "product");
}

/** True where what the shop says of itself is another. */
export function isOtherStore({ before, after }: CatalogChange): boolean {
  return JSON.stringify(before.store) !== JSON.stringify(after.store);
}

/** The folder in which all files of a snapshot stand, as the public asks for it: `https://api.shop.example` */
export function rootOf({ baseUrl }: PublicConfig): string {
  return baseUrl.slice(0, -"/api/v1".length);
}

/** All feeds, with what each is. */
export const FEEDS = {
  sitemap: "the shop's pages, for search engines",
  news: "new products, releases and posts, for feed readers",
  llms: "llms.txt, for agents",
  jsonLd: "schema.org data of each product, for its page",
  google: "Google Merchant Center",
  bulk: "all records, for copies and analysis",
} as const satisfies Record<FeedName, string>;
