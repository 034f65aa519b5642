/** One product: its picture, name, rating and price. */
import type { Product } from "./answers.ts";
import { defineWidget } from "./element.ts";
import { PRODUCTS_CSS } from "./styles.ts";
import { blankCard, productCard } from "./view.ts";

defineWidget({
  name: "card",
  attributes: ["product-slug"],
  css: `${PRODUCTS_CSS}:host{max-width:320px}`,
  usual: 1,
  blank: ({ language }) => [blankCard(language)],
  load: ({ slug, ask }) => ask<Product>(`/product?slug=${slug}`),
  show: ({ language, display }, { data }) => display("ready", productCard(data, language)),
});
