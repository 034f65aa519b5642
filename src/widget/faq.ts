/** Questions about a product. The answers open at a click. */
import { noneIfMissing } from "./answers.ts";
import { defineWidget } from "./element.ts";
import { FAQ_CSS } from "./styles.ts";
import { element } from "./view.ts";

interface Faq {
  readonly question: string;
  readonly answer: string;
}

defineWidget({
  name: "faq",
  attributes: ["product-slug", "limit"],
  css: FAQ_CSS,
  usual: 3,
  async load({ slug, ask, display, limit }) {
    const faqs = await ask<readonly Faq[]>(`/faqs?product_slug=${slug}`).catch(noneIfMissing);
    const entries = faqs.data.slice(0, limit).map(({ question, answer }) => {
      const words = element("summary", { dir: "auto" }, question);
      return element("details", { part: "question" }, words, element("p", { dir: "auto" }, answer));
    });
    if (entries.length > 0) return display("ready", ...entries);
    // An unknown product has no questions either, so ask whether the product exists.
    await ask(`/product?slug=${slug}`);
    display("empty");
  },
});
