/** What other sites can embed, and the tag that does it. */
import * as Type from "typebox";
import { ASSETS } from "../endpoints.ts";
import { closed, schemas } from "../field.ts";
import { operation } from "../operation.ts";

export const widget = Type.Object(
  {
    key: schemas.text("Permanent name of the widget."),
    name: schemas.text("Name for people."),
    script: schemas.url("Address of the script to embed."),
    description: schemas.text("What the widget shows."),
    data_attributes: schemas.listOf(Type.String(), "Attributes that the script tag understands."),
    embed_example: schemas.text("A tag to paste into a page."),
  },
  { ...closed, title: "Widget" },
);
export type Widget = Type.Static<typeof widget>;

/** What the tag of the review widget understands. */
const REVIEW_ATTRIBUTES = [
  "data-product-slug",
  "data-limit",
  "data-theme",
  "data-lang",
  "data-container",
  "data-photos",
  "data-review-url",
  "data-json-ld",
];

/** What `widgetsOfSite` writes where a store has no product yet. */
const SLUG_TO_REPLACE = "PRODUCT-SLUG";

/** The widgets that a site offers, with their addresses; the example shows the product whose slug is given. */
export function widgetsOfSite(siteUrl: string, slug: string | null): Widget[] {
  const script = `${siteUrl}/${ASSETS[0]}`;
  return [
    {
      key: "reviews",
      name: "Product reviews",
      script,
      description:
        "The average rating of one product, how many reviews have each rating, and the newest of them, data-limit at a time, in ten languages (data-lang), " +
        "light, dark or auto (data-theme). It stands in the element with the id of data-container, else where its tag stands. " +
        "data-review-url is where a review is written; data-photos shows customers' pictures; data-json-ld tells search engines " +
        "the rating.",
      data_attributes: REVIEW_ATTRIBUTES,
      embed_example:
        `<div id="product-reviews"></div>\n<script async src="${script}" data-product-slug="${slug ?? SLUG_TO_REPLACE}" ` +
        'data-limit="5" data-theme="light" data-container="product-reviews"></script>',
    },
  ];
}

/** What follows the question where files are asked for by their paths, as the key says; slugs are spelled there as they are. */
const BY_PATH = '.replace(/[?&]/g,"/")+".json"';

/** The call that starts a widget with a store's base address; it ends the widget's script. `byPath`: its host takes no queries. */
export function widgetCall(baseUrl: string, byPath = false): string {
  return `vitrineReviews(q=>${JSON.stringify(baseUrl)}+q${byPath ? BY_PATH : ""});`;
}

export const listWidgets = operation("widgets", {
  id: "listWidgets",
  tag: "Store",
  summary: "List widgets",
  purpose: "What other sites can embed, with a tag to paste for each.",
  answer: "All widgets.",
  params: {},
  list: widget,
});
