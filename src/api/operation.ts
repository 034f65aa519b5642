/** What an endpoint is for and what it returns, in words: the OpenAPI document's side of the table of endpoints. */
import type { TSchema } from "typebox";
import type { EndpointPath, ParamName } from "./endpoints.ts";

export const TAGS = [
  { name: "Store", description: "The store itself, and what of it can be embedded." },
  { name: "Products", description: "Products and their categories." },
  { name: "Product information", description: "What is known about products: questions, reviews, releases." },
  { name: "Community", description: "Blog and forum." },
  { name: "Search", description: "Search across products, categories and the blog." },
  { name: "API", description: "This API itself." },
] as const;

/** Words of the parameters that mean the same in every endpoint. */
const COMMON = {
  page: "Page of the list, from 1. Past the end: an empty list with the true totals.",
  per_page: "Records a page. Above 100 it is read as 100, and pagination.per_page says so.",
  limit: "Another name for per_page, which wins where both stand.",
  product_id: "Only records of the product with this id.",
  product_slug: "Only records of the product with this slug.",
};
export const SORT = "Order of the list.";
/** How a search text matches, for each parameter that takes one. */
export const SEARCH =
  "All words must match, the last as a beginning. Case, accents and the ways to join a word (wi-fi, wifi) make no difference. " +
  "If a word has no match, one typing error is forgiven from 4 letters on, two from 9; one in the first letter counts double. " +
  "A word of up to 7 letters must end right.";

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
  /** What each parameter does to the answer, in whole sentences. */
  readonly params: Readonly<Record<string, string>>;
  /** Schema of a record in the list, and of the one record that a parameter selects. */
  readonly list?: TSchema;
  readonly one?: TSchema | null;
}

/** Words for all parameters; an endpoint may override the common ones. */
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
