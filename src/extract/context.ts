/** What the records of one extraction share: ports, and what has been read so far. */

import type { PublicConfig } from "../api/config.ts";
import type { Category, Faq, Release } from "../api/records.ts";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import type { ResourceName } from "../catalog/resources.ts";
import type { CatalogWriter, Row } from "../catalog/writer.ts";
import type { AllowList, QueryName } from "./allow-list.ts";
import type { Problems } from "./problems.ts";
import { RowReader } from "./row-reader.ts";
import type { StoreReader, StoreRow } from "./store.ts";
import type { Summariser } from "./summary.ts";

/** What other records say of a product. */
interface ProductBrief {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly url: string;
}

/** Approved ratings of one product. */
export interface Ratings {
  count: number;
  sum: number;
}

export interface Context {
  readonly store: StoreReader;
  readonly queries: AllowList;
  readonly config: PublicConfig;
  readonly writer: CatalogWriter;
  readonly problems: Problems;
  readonly products: Map<number, ProductBrief>;
  readonly categories: Map<number, Category>;
  readonly ratings: Map<number, Ratings>;
  readonly faqs: Map<number, Faq[]>;
  readonly latestReleases: Map<number, Release>;
  /** Rows of records that belong to no public product, by file: counted, never shown. */
  readonly leftOut: Map<QueryName, number>;
  /** Records made, by resource. */
  readonly counts: Map<ResourceName, number>;
  readonly summariser: Summariser;
}

/** Goes through an allow-list file's rows; a missing file has none. Ids must be different. */
export function forEachRow(
  context: Context,
  name: QueryName,
  read: (reader: RowReader, row: StoreRow) => void,
  columns?: readonly string[],
): void {
  const query = context.queries[name];
  if (query === undefined) return;
  const reader = new RowReader(query.file, context.problems, context.config.siteUrl);
  let previous: unknown;
  for (const row of context.store.rows(query, columns)) {
    reader.open(row);
    if (row["id"] !== undefined && row["id"] === previous) reader.fail("id", "must be unique");
    previous = row["id"];
    try {
      read(reader, row);
    } catch (error) {
      if (isOfTheMachine(error)) throw error;
      reader.failReading(messageOf(error));
    }
  }
}

/** True for what is not the row's doing: a disk that is full, a file that is gone. */
function isOfTheMachine(error: unknown): boolean {
  const code = systemCodeOf(error);
  return error instanceof VitrineError || (/^(SQLITE_|E(?!RR_))/.test(code) && code !== "SQLITE_TOOBIG");
}

/** Adds a record unless its row was wrong. */
export function addRecord(context: Context, resource: ResourceName, reader: RowReader, row: Row): void {
  if (reader.failed) return;
  context.writer.add(resource, row);
  context.counts.set(resource, (context.counts.get(resource) ?? 0) + 1);
}

/** Refuses a slug that an earlier row of the same list has. */
export class SlugGuard {
  readonly #owners = new Map<string, number>();

  check(reader: RowReader, slug: string, id: number): void {
    if (slug === "") return; // It is wrong already.
    const owner = this.#owners.get(slug);
    if (owner === undefined) this.#owners.set(slug, id);
    else reader.fail("slug", "must be unique", `${JSON.stringify(slug)}, which id ${owner} has too`);
  }
}

/** Counts a row whose product is not public, and says so. */
export function isLeftOut(context: Context, name: QueryName, productId: number): boolean {
  if (context.products.has(productId)) return false;
  context.leftOut.set(name, (context.leftOut.get(name) ?? 0) + 1);
  return true;
}
