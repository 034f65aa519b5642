/** What is asked about a product, with the answers, which open at a click. */
import { ask } from "./answers.ts";
import { limitOf, startWidget } from "./start.ts";
import { FAQ_CSS } from "./styles.ts";
import { element } from "./view.ts";

declare const api: (question: string) => string;

interface Faq {
  readonly question: string;
  readonly answer: string;
}

startWidget("faq", "productSlug", FAQ_CSS, 3, async (slug, data, _, display) => {
  const answer = await ask<readonly Faq[]>(api(`/faqs?product_slug=${encodeURIComponent(slug)}`));
  if (!answer.success) return display("failed");
  const entries = answer.data.slice(0, limitOf(data, 20)).map(({ question, answer: text }) => {
    const words = element("summary", { dir: "auto" }, question);
    return element("details", { part: "question" }, words, element("p", { dir: "auto" }, text));
  });
  if (entries.length === 0) return display("empty");
  display("ready", ...entries);
});
