/** A result of /search: a product, a category or a post, with the part of its text that matches. */
import * as Type from "typebox";
import { closed, schemas } from "../field.ts";
import { operation, SEARCH } from "../operation.ts";

const searchResult = Type.Object(
  {
    type: schemas.choice(["product", "category", "blog"], "Kind of the record found."),
    id: schemas.id(),
    title: schemas.text("Its title or name."),
    slug: schemas.slug(),
    snippet: schemas.text("The part of its text that matches best, plain text."),
    highlight: schemas.text("The snippet as HTML: escaped, with the matches in <mark>."),
    url: schemas.url("Its page in the store."),
    image: schemas.orNull(schemas.url("Its image.")),
    score: schemas.number(0, 1, "How well it matches; 1 is the best of this search."),
  },
  { ...closed, title: "SearchResult" },
);
export type SearchResult = Type.Static<typeof searchResult>;

export const search = operation("search", {
  id: "searchCatalog",
  tag: "Search",
  summary: "Search",
  purpose: "Products, categories and posts of which some text has the words.",
  answer: "A page of results, the best first.",
  params: {
    q: `Search text. ${SEARCH}`,
    type: "Only results of this kind.",
  },
  list: searchResult,
});
