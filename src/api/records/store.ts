/** The store itself: one row. */
import * as Type from "typebox";
import { printableText } from "../../base/text.ts";
import { API_VERSION } from "../endpoints.ts";
import {
  computed,
  currency,
  elementsOf,
  name,
  schemaOf,
  schemas,
  text,
  url,
  type ValuesOf,
} from "../field.ts";
import { operation } from "../operation.ts";
import type { Row } from "../row.ts";
import { type Widget, widget } from "./widget.ts";

const socialLink = schemas.object({
  network: schemas.text("Name of the network, for example github."),
  url: Type.String({
    pattern: "^https://.*$",
    description: "Address of the store's profile there.",
  }),
});

const SOCIAL_LINK = "elements {network, url} with an https address";

/** `[{"network":"github","url":"https://github.com/x"}]`; links that are not https are left out. */
function readSocialLinks(row: Row) {
  return elementsOf(row, "social_links", ({ network, url }) => {
    const address = typeof url === "string" ? row.toUrl(url) : null;
    if (typeof network !== "string" || !address?.startsWith("https://")) return SOCIAL_LINK;
    return { network: printableText(network), url: address };
  });
}

const fields = {
  store_name: name("Name of the store.", "'Example Studio'"),
  tagline: text("Description of the store in one line."),
  description: text("Description of the store, plain text."),
  logo_url: url("Logo image."),
  favicon_url: url("Small icon."),
  currency: currency("ISO 4217 code of all prices."),
  public_url: url("The store's public site."),
  support_url: url("Page where customers get help."),
  docs_url: url("Documentation."),
  blog_url: url("Blog."),
  social_links: computed(
    schemas.listOf(socialLink, "The store's profiles in social networks."),
    [
      {
        name: "social_links",
        holds: "JSON array",
        example: `'[{"network": "github", "url": "https://github.com/shop"}]'`,
        ifMissing: "[]",
      },
    ],
    readSocialLinks,
    { empty: [] },
  ),
  // Filled in when an answer is made: the embed example shows a product, and the store's record is made before the products.
  available_widgets: computed(
    schemas.listOf(widget, "Widgets that can be embedded."),
    [],
    (): Widget[] => [],
  ),
  api_version: computed(schemas.text("Version of this API."), [], () => API_VERSION as string),
};

export type Store = ValuesOf<typeof fields>;

export const store = { file: "store", fields, one: schemaOf<Store>("Store", fields) };

export const getStore = operation("store", {
  id: "getStore",
  tag: "Store",
  summary: "The store",
  purpose: "The store itself: its name, addresses, currency, profiles and widgets.",
  answer: "The record of the store.",
  params: {},
  one: store.one,
});
