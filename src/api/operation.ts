/** Texts of the OpenAPI document for each row of the table of endpoints: its purpose, its answer, its parameters. */
import type { TSchema } from "typebox";
import type { EndpointPath, ParamName } from "./endpoints.ts";

export const TAGS = [
  { name: "Store", description: "The store itself, and its widgets." },
  { name: "Products", description: "Products and their categories." },
  { name: "Product information", description: "Questions, reviews and releases of products." },
  { name: "Community", description: "Blog and forum." },
  { name: "Search", description: "Search across products, categories and the blog." },
  { name: "API", description: "This API itself." },
] as const;

/** Descriptions of the parameters that mean the same in every endpoint. */
const COMMON = {
  page: "Page of the list, from 1. A page past the end is an empty list with the true totals.",
  per_page: "Number of records per page. A value above 100 is read as 100, and pagination.per_page says so.",
  limit: "Another name for per_page. If both are given, per_page is used.",
  product_id: "Only records of the product with this id.",
  product_slug: "Only records of the product with this slug.",
};
/** Where `limit` is another name for it. */
export const PER_PAGE_OR_LIMIT =
  "Number of records per page: 20 if limit is absent, too. A value above 100 is read as 100, and pagination.per_page says so.";
export const SORT = "Order of the list.";
/** How a search text matches, for each parameter that takes one. */
export const SEARCH =
  "All words must match; the last may be the beginning of a word. Case, accents and the way a word is joined (wi-fi, wifi) make " +
  "no difference. If a word has no match, the search forgives one typing error from 4 letters on and two from 9; an error in the " +
  "first letter counts double. The end of a word of up to 7 letters must be right.";

export interface Operation {
  readonly path: EndpointPath;
  /** A verb and a noun. Permanent: generated clients name their methods and types by it, and no other type may begin with it. */
  readonly id: string;
  readonly tag: (typeof TAGS)[number]["name"];
  /** Two to four words: a menu's entry. */
  readonly summary: string;
  /** A whole sentence. */
  readonly purpose: string;
  /** The content of a 200, as a sentence. */
  readonly answer: string;
  /** The effect of each parameter on the answer, in whole sentences. */
  readonly params: Readonly<Record<string, string>>;
  /** Schema of a record in the list, and of the one record that a parameter selects. */
  readonly list?: TSchema;
  readonly one?: TSchema | null;
}

/** Descriptions of all parameters; an endpoint may override the common ones. */
type ParamWords<Path extends EndpointPath> = Readonly<
  Record<Exclude<ParamName<Path>, keyof typeof COMMON>, string> &
    Partial<Record<Extract<ParamName<Path>, keyof typeof COMMON>, string>>
>;

export function operation<const Path extends EndpointPath>(
  path: Path,
  words: Omit<Operation, "path" | "params"> & { readonly params: ParamWords<Path> },
): Operation {
  return { ...words, path, params: { ...COMMON, ...words.params } };
}
