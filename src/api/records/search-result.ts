/** A result of /search: a product, a category or a post, with the part of its text that matches. */
import * as Type from "typebox";
import { closed, schemas } from "../field.ts";
import { operation, SEARCH } from "../operation.ts";

/** The kinds of records that /search finds. */
export const SEARCHED = ["product", "category", "blog"] as const;

const searchResult = Type.Object(
  {
    type: schemas.openChoice(SEARCHED, "Kind of record."),
    id: schemas.id(),
    title: schemas.text("Title or name of the record."),
    slug: schemas.slug(),
    snippet: schemas.text("The part of the record's text that matches best, plain text."),
    highlight: schemas.text("The snippet as escaped HTML, with the matches in <mark>."),
    url: schemas.url("Its page in the store."),
    image: schemas.orNull(schemas.url("Image of the record.")),
    score: schemas.number(0, 1, "How well the record matches; the best result of a search has 1."),
  },
  { ...closed, title: "SearchResult" },
);
export type SearchResult = Type.Static<typeof searchResult>;

export const search = operation("search", {
  id: "searchCatalog",
  tag: "Search",
  summary: "Search",
  purpose: "Products, categories and posts that contain the words.",
  answer: "A page of results, the best first.",
  params: {
    q: `Search text. ${SEARCH}`,
    type: "Only results of this kind.",
  },
  list: searchResult,
});
