/**
 * What a feed is: files of a snapshot that machines other than the API's clients ask for. A feed reads the catalog alone, and is
 * made of the digests of the lists that it speaks of; `feeds.ts` puts all feeds together.
 */

import { createHash } from "node:crypto";
import type { PublicConfig } from "../../api/config.ts";
import type { EndpointPath } from "../../api/endpoints.ts";
import type { Category } from "../../api/records/category.ts";
import type { BlogPost } from "../../api/records/post.ts";
import type { Product, ProductDetail } from "../../api/records/product.ts";
import type { Release } from "../../api/records/release.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { plainBody } from "../../catalog/envelope.ts";
import type { ResourceName } from "../../catalog/resources.ts";
import { fingerprintOf, type MadeFile, type MakePorts, type SiteInputs, shownDigest } from "../made-file.ts";
import type { FeedName } from "./report.ts";

/** A feed whose files fit into memory, one at a time. */
export interface Feed {
  files(inputs: SiteInputs): Iterable<MadeFile>;
  count(catalog: Catalog): number;
}

/** The fingerprint of a feed's files, and its inputs in words. `records`: digests of what they list, by what they are. */
export function feedInputs(
  { code, store }: SiteInputs,
  records: Readonly<Record<string, string | Buffer>>,
): Pick<MadeFile, "fingerprint" | "inputs"> {
  const all = Object.entries({ code, ...records, store });
  return {
    fingerprint: fingerprintOf(...all.map(([, digest]) => digest)),
    inputs: () => all.map(([name, digest]) => `${name} ${shownDigest(digest)}`).join("\n"),
  };
}

/** A file of a feed. `records`: digests of what it lists, by what they are. */
export function feedFile(
  inputs: SiteInputs,
  key: string,
  records: Readonly<Record<string, string | Buffer>>,
  make: (ports: MakePorts) => string | Buffer,
): MadeFile {
  return {
    key,
    aliases: [],
    ...feedInputs(inputs, records),
    make: (ports) => {
      const made = make(ports);
      return typeof made === "string" ? plainBody(made) : { bytes: made, stamped: false };
    },
  };
}

/** Digests of a record's rows in equal parts: of those whose id gives the same remainder, in order of that. */
export function partitionDigests(
  { catalog, digests }: SiteInputs,
  resource: ResourceName,
  parts: number,
): readonly string[] {
  const own = digests.of(resource);
  const hashes = Array.from({ length: parts }, () => createHash("sha256"));
  for (const [row, id] of catalog.list(resource).ids.entries())
    hashes[id % parts]?.update(own.list(row)).update(own.detail(row));
  return hashes.map((each) => each.digest("hex"));
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
  bulk: "all records, for mirrors, copies and analysis",
} as const satisfies Record<FeedName, string>;
