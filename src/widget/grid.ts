/** The newest products of a category, or its products in another order with `sort`. */
import { noneIfMissing, type Product } from "./answers.ts";
import { columnsOf } from "./columns.ts";
import { defineWidget, settingOf } from "./element.ts";
import { GRID_CSS, PRODUCTS_CSS } from "./styles.ts";
import { blankCard, element, productCard } from "./view.ts";

/** A list of cards whose columns follow its width. */
function listOf(cards: readonly Element[], signal: AbortSignal): Element {
  const list = element("ul", { role: "list" }, ...cards.map((card) => element("li", {}, card)));
  const arrange = () => {
    const { columns, isFirstWide } = columnsOf(cards.length, list.clientWidth);
    list.style.gridTemplateColumns = `repeat(${columns},minmax(0,1fr))`;
    list.firstElementChild?.toggleAttribute("data-wide", isFirstWide);
  };
  // Before the list is drawn for the first time.
  queueMicrotask(arrange);
  // In the next frame: changing the observed element in this one would cause an error event in the page.
  const watcher = new ResizeObserver(() => requestAnimationFrame(arrange));
  watcher.observe(list);
  signal.addEventListener("abort", () => watcher.disconnect());
  return list;
}

defineWidget({
  name: "grid",
  attributes: ["category", "limit", "sort"],
  css: `${PRODUCTS_CSS}${GRID_CSS}`,
  usual: 4,
  blank: ({ language, limit, signal }) => [
    listOf(
      Array.from({ length: limit }, () => blankCard(language)),
      signal,
    ),
  ],
  async load({ host, slug, ask }) {
    const sort = settingOf(host, "sort");
    const order = sort ? `&sort=${encodeURIComponent(sort)}` : "";
    const question = `/products?category=${slug}${order}&page=1`;
    const { data } = await ask<readonly Product[]>(question).catch(noneIfMissing);
    if (data.length > 0) return data;
    // An unknown category has no products either, so ask whether the category exists.
    const categories = await ask<readonly { readonly slug: string }[]>("/categories");
    const isKnown = categories.data.some((each) => encodeURIComponent(each.slug) === slug.toLowerCase());
    if (!isKnown) throw Object.assign(new Error(), { code: "not_found" });
    return data;
  },
  show({ language, display, limit, signal }, products) {
    const cards = products.slice(0, limit).map((product) => productCard(product, language));
    if (cards.length > 0) display("ready", listOf(cards, signal));
    else display("empty");
  },
});
