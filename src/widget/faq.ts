/** Questions about a product. The answers open at a click. */
import { noneIfMissing } from "./answers.ts";
import { defineWidget } from "./element.ts";
import { FAQ_CSS } from "./styles.ts";
import { BLANK, element } from "./view.ts";

interface Faq {
  readonly question: string;
  readonly answer: string;
}

function entry({ question, answer }: Faq): Element {
  const words = element("summary", { dir: "auto" }, question);
  return element("details", { part: "question", class: "box" }, words, element("p", { dir: "auto" }, answer));
}

defineWidget({
  name: "faq",
  attributes: ["product-slug", "limit"],
  css: FAQ_CSS,
  usual: 3,
  blank: ({ limit }) => Array.from({ length: limit }, () => entry({ question: BLANK.title, answer: "" })),
  async load({ slug, ask }) {
    const { data } = await ask<readonly Faq[]>(`/faqs?product_slug=${slug}`).catch(noneIfMissing);
    // An unknown product has no questions either, so ask whether the product exists.
    if (data.length === 0) await ask(`/product?slug=${slug}`);
    return data;
  },
  show({ display, limit }, faqs) {
    display(faqs.length > 0 ? "ready" : "empty", ...faqs.slice(0, limit).map(entry));
  },
});
