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
  load: ({ slug, ask }) => ask<Product>(`/product?slug=${slug}`),
  show({ language, display }, { data: { rating_summary } }) {
    if (rating_summary.count > 0) display("ready", summary(rating_summary, language));
    else display("empty");
  },
});
