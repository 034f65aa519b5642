/** One product: its picture, name, rating and price. */
import { ask, type Product } from "./answers.ts";
import { startWidget } from "./start.ts";
import { PRODUCTS_CSS } from "./styles.ts";
import { productCard } from "./view.ts";

declare const api: (question: string) => string;

startWidget("card", "productSlug", PRODUCTS_CSS, 1, async (slug, _, language, display) => {
  const answer = await ask<Product>(api(`/product?slug=${encodeURIComponent(slug)}`));
  if (!answer.success) return display(answer.error.code === "not_found" ? "not-found" : "failed");
  display("ready", productCard(answer.data, language));
});
