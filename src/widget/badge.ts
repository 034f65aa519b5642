/** A product's average rating and number of reviews, in one line. */
import type { Product } from "./answers.ts";
import { defineWidget } from "./element.ts";
import { BLANK, summary } from "./view.ts";

defineWidget({
  name: "badge",
  attributes: ["product-slug"],
  css: "",
  usual: 1,
  blank: ({ language }) => [summary(BLANK.rating_summary, language)],
  async load({ slug, ask, language, display }) {
    const { data } = await ask<Product>(`/product?slug=${slug}`);
    if (data.rating_summary.count === 0) return display("empty");
    display("ready", summary(data.rating_summary, language));
  },
});
