/** A product's average rating and of how many reviews, in one line. */
import { ask, type Product } from "./answers.ts";
import { startWidget } from "./start.ts";
import { summary } from "./view.ts";

declare const api: (question: string) => string;

startWidget("badge", "productSlug", "", 1, async (slug, _, language, display) => {
  const answer = await ask<Product>(api(`/product?slug=${encodeURIComponent(slug)}`));
  if (!answer.success) return display(answer.error.code === "not_found" ? "not-found" : "failed");
  const { rating_summary } = answer.data;
  if (rating_summary.count === 0) return display("empty");
  display("ready", summary(rating_summary, language));
});
