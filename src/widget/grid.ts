/** The newest products of a category, or of the best rated with `data-sort="rating"`. */
import { ask, type Product } from "./answers.ts";
import { limitOf, startWidget } from "./start.ts";
import { PRODUCTS_CSS } from "./styles.ts";
import { element, productCard } from "./view.ts";

declare const api: (question: string) => string;

startWidget("grid", "category", PRODUCTS_CSS, 4, async (category, data, language, display) => {
  const sort = data["sort"] ? `&sort=${encodeURIComponent(data["sort"])}` : "";
  const question = `/products?category=${encodeURIComponent(category)}${sort}&page=1`;
  const answer = await ask<readonly Product[]>(api(question));
  if (!answer.success) return display("failed");
  const cards = answer.data
    .slice(0, limitOf(data, 4))
    .map((product) => element("li", {}, productCard(product, language)));
  if (cards.length === 0) return display("empty");
  display("ready", element("ul", { role: "list" }, ...cards));
});
