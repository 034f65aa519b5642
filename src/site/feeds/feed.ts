/**
 * A feed: files of a snapshot for machines that are not the API's clients. A feed reads the catalog only, and its fingerprint is made
 * of the digests of the lists that it uses; `feeds.ts` puts all feeds together.
 */
import type { PublicConfig } from "../../api/config.ts";
import { offers } from "../../api/endpoints.ts";
import type { Category } from "../../api/records/category.ts";
import type { BlogPost } from "../../api/records/post.ts";
import type { Product, ProductDetail } from "../../api/records/product.ts";
import type { Release } from "../../api/records/release.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { plainBody } from "../../catalog/envelope.ts";
import type { ResourceName } from "../../catalog/resources.ts";
import { fingerprintOf, type MadeFile, type MakePorts, type SiteInputs, shownDigest } from "../made-file.ts";
import type { FeedName } from "../write-report.ts";

export interface Feed {
  files(inputs: SiteInputs): Iterable<MadeFile>;
  count(catalog: Catalog): number;
}

/** The fingerprint of a feed's files, and its inputs in words. `records`: digests of what the files list, by name. */
function feedInputs(
  { code, store }: SiteInputs,
  records: Readonly<Record<string, string | Buffer>>,
): Pick<MadeFile, "fingerprint" | "inputs"> {
  const all = Object.entries({ code, ...records, store });
  return {
    fingerprint: fingerprintOf(...all.map(([, digest]) => digest)),
    inputs: () => all.map(([name, digest]) => `${name} ${shownDigest(digest)}`).join("\n"),
  };
}

/** A file of a feed. `records`: digests of what it lists, by name. */
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

/** A product as the API shows it: without the detail fields if the shop does not offer them. */
export type FeedProduct = Product & Partial<ProductDetail>;

/** The record types that feeds list. */
export interface FeedRecords {
  readonly product: Product;
  readonly category: Category;
  readonly release: Release;
  readonly post: BlogPost;
}

/** False if the shop offers a list without details: only product details have a separate endpoint. */
export function showsDetail(config: PublicConfig, resource: ResourceName): boolean {
  return resource !== "product" || offers(config, "product");
}

/** All feeds, each with its description. */
export const FEEDS = {
  sitemap: "the shop's pages, for search engines",
  news: "new products, releases and posts, for feed readers",
  llms: "llms.txt, for agents",
  jsonLd: "schema.org data of each product, for its page",
  google: "Google Merchant Center",
  bulk: "all records, for mirrors, copies and analysis",
} as const satisfies Record<FeedName, string>;
