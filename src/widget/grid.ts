/** The newest products of a category, or its products in another order with `sort`. */
import { noneIfMissing, type Product } from "./answers.ts";
import { columnsOf } from "./columns.ts";
import { defineWidget } from "./element.ts";
import { PRODUCTS_CSS } from "./styles.ts";
import { element, productCard } from "./view.ts";

/** Adapts the columns to the width of the list. */
function arrange(list: HTMLElement, signal: AbortSignal): void {
  const watcher = new ResizeObserver(([entry]) => {
    const { columns, isFirstWide } = columnsOf(list.children.length, entry?.contentRect.width ?? 0);
    // In the next frame: changing the observed element in this one would cause an error event in the page.
    requestAnimationFrame(() => {
      list.style.gridTemplateColumns = `repeat(${columns},minmax(0,1fr))`;
      list.firstElementChild?.toggleAttribute("data-wide", isFirstWide);
    });
  });
  watcher.observe(list);
  signal.addEventListener("abort", () => watcher.disconnect());
}

defineWidget({
  name: "grid",
  attributes: ["category", "limit", "sort"],
  css: `${PRODUCTS_CSS}:host{max-width:none}`,
  usual: 4,
  async load({ host, slug, ask, language, display, limit, signal }) {
    const sort = host.getAttribute("sort");
    const order = sort ? `&sort=${encodeURIComponent(sort)}` : "";
    const question = `/products?category=${slug}${order}&page=1`;
    const { data } = await ask<readonly Product[]>(question).catch(noneIfMissing);
    const cards = data.slice(0, limit).map((product) => element("li", {}, productCard(product, language)));
    if (cards.length > 0) {
      const list = element("ul", { role: "list" }, ...cards);
      display("ready", list);
      return arrange(list, signal);
    }
    // An unknown category has no products either, so ask whether the category exists.
    const categories = await ask<readonly { readonly slug: string }[]>("/categories");
    const isKnown = categories.data.some((each) => encodeURIComponent(each.slug) === slug.toLowerCase());
    if (!isKnown) throw Object.assign(new Error(), { code: "not_found" });
    display("empty");
  },
});
