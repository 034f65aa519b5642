/** What other sites can embed, and the tag that does it. */
import { type Static, Type } from "typebox";
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
export type Widget = Static<typeof widget>;

/** The widgets that a site offers, with their addresses. */
export function widgetsOfSite(siteUrl: string): Widget[] {
  const script = `${siteUrl}/${ASSETS[0]}`;
  return [
    {
      key: "reviews",
      name: "Product reviews",
      script,
      description: "Approved reviews of one product with their average rating, in a light or a dark theme.",
      data_attributes: ["data-product-slug", "data-limit", "data-theme", "data-container"],
      embed_example:
        `<div id="product-reviews"></div>\n<script async src="${script}" data-product-slug="PRODUCT-SLUG" ` +
        'data-limit="5" data-theme="light" data-container="product-reviews"></script>',
    },
  ];
}

/** The call that starts a widget with a store's base address; it ends the widget's script. */
export function widgetCall(baseUrl: string): string {
  return `vitrineReviews(${JSON.stringify(baseUrl)});`;
}

export const listWidgets = operation("widgets", {
  id: "listWidgets",
  tag: "Store",
  purpose: "Embeddable widgets and script examples",
  params: {},
  list: widget,
});
