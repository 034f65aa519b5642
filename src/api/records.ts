/** All records and operations. A new record is named here once; all other code walks these lists. */
import type { EndpointPath } from "./endpoints.ts";
import type { Operation } from "./operation.ts";
import type { RecordDef } from "./record.ts";
import { category, listCategories } from "./records/category.ts";
import { faq, listFaqs } from "./records/faq.ts";
import { listPosts, post } from "./records/post.ts";
import { getProduct, listProducts, product } from "./records/product.ts";
import { listReleases, release } from "./records/release.ts";
import { listReviews, review } from "./records/review.ts";
import { search } from "./records/search-result.ts";
import { getOpenApi, getStatus } from "./records/status.ts";
import { getStore } from "./records/store.ts";
import { listThreads, thread } from "./records/thread.ts";
import { listWidgets } from "./records/widget.ts";

/** Each record comes after the records that it embeds and gathers. */
const ALL = [category, review, faq, release, product, post, thread] as const;

export type RecordName = (typeof ALL)[number]["name"];
export const RECORDS: readonly RecordDef<RecordName>[] = ALL;

export function recordNamed(name: RecordName): RecordDef<RecordName> {
  const record = RECORDS.find((candidate) => candidate.name === name);
  if (record === undefined) throw new Error(`No record is named ${name}`);
  return record;
}

/** By the endpoint's path. */
export const OPERATIONS = {
  "": getStatus,
  store: getStore,
  products: listProducts,
  product: getProduct,
  categories: listCategories,
  faqs: listFaqs,
  reviews: listReviews,
  releases: listReleases,
  blog: listPosts,
  forum: listThreads,
  search,
  widgets: listWidgets,
  "openapi.json": getOpenApi,
} satisfies Record<EndpointPath, Operation>;
