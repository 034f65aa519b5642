/** The widgets that other sites can embed, each with its tag. */
import * as Type from "typebox";
import { ASSETS, WIDGETS } from "../endpoints.ts";
import { closed, schemas } from "../field.ts";
import { operation } from "../operation.ts";

export const widget = Type.Object(
  {
    key: schemas.text("Permanent name of the widget."),
    name: schemas.text("Name for people."),
    script: schemas.url("Address of the script to embed."),
    description: schemas.text("What the widget shows."),
    data_attributes: schemas.listOf(Type.String(), "Attributes of the script tag."),
    embed_example: schemas.text("A tag to paste into a page."),
  },
  { ...closed, title: "Widget" },
);
export type Widget = Type.Static<typeof widget>;

/** Placeholders in the examples of a store that has no product yet. */
const TO_REPLACE = { slug: "PRODUCT-SLUG", category: "CATEGORY-SLUG" };

/** Attributes of every widget's tag. */
const COMMON = ["data-theme", "data-lang", "data-container"];
const PLACE =
  "The theme (data-theme) is light, dark or auto. The widget appears in the element with the id data-container, else at its tag.";

interface Kind {
  readonly name: string;
  readonly shows: string;
  /** The other attributes; the first is required. */
  readonly attributes: readonly [needed: "data-product-slug" | "data-category", ...others: string[]];
}

const KINDS: Readonly<Record<(typeof WIDGETS)[number], Kind>> = {
  reviews: {
    name: "Product reviews",
    shows:
      "The average rating of one product, the number of reviews with each rating, and its newest reviews, data-limit at a time, " +
      "in ten languages (data-lang). data-review-url is the address of the form for a review; data-photos shows pictures of " +
      "customers; data-json-ld gives the rating to search engines.",
    attributes: ["data-product-slug", "data-limit", "data-photos", "data-review-url", "data-json-ld"],
  },
  badge: {
    name: "Rating badge",
    shows: "The average rating of one product and how many reviews it has, in one line.",
    attributes: ["data-product-slug"],
  },
  card: {
    name: "Product card",
    shows: "One product: its picture, name, rating and price.",
    attributes: ["data-product-slug"],
  },
  grid: {
    name: "Product grid",
    shows:
      "data-limit products of a category, the newest first or in another order of /products (data-sort).",
    attributes: ["data-category", "data-limit", "data-sort"],
  },
  faq: {
    name: "Questions and answers",
    shows: "data-limit questions about one product. The answers open at a click.",
    attributes: ["data-product-slug", "data-limit"],
  },
};

/** A site's widgets with their addresses; the embed examples use the given product and category slugs. */
export function widgetsOfSite(
  siteUrl: string,
  { slug, category }: { readonly slug: string; readonly category: string } = TO_REPLACE,
): Widget[] {
  return WIDGETS.map((key, at) => {
    const { name, shows, attributes } = KINDS[key];
    const script = `${siteUrl}/${ASSETS[at]}`;
    const [needed] = attributes;
    const value = needed === "data-category" ? category : slug;
    const id = `product-${key}`;
    const embed = `<script async src="${script}" ${needed}="${value}" data-theme="light" data-container="${id}"></script>`;
    return {
      key,
      name,
      script,
      description: `${shows} ${PLACE}`,
      data_attributes: [...attributes, ...COMMON],
      embed_example: `<div id="${id}"></div>\n${embed}`,
    };
  });
}

/** The call that starts a widget with a store's base address: the last statement of the widget's script. */
export function widgetCall(baseUrl: string): string {
  return `vitrineWidget(q=>${JSON.stringify(baseUrl)}+q);`;
}

export const listWidgets = operation("widgets", {
  id: "listWidgets",
  tag: "Store",
  summary: "List widgets",
  purpose: "The widgets that other sites can embed, each with a tag to paste.",
  answer: "All widgets.",
  params: {},
  list: widget,
});
