/** A question that customers ask, about one product or the whole store. */
import { html, id, name, position, slug, textOfHtml } from "../field.ts";
import { ofProductOrNone } from "../of-product.ts";
import { operation } from "../operation.ts";
import { asc, equals, record, type ShapeOf } from "../record.ts";

export const faq = record({
  name: "faq",
  file: "faqs",
  endpoint: "faqs",
  title: "FAQ",
  belongsTo: { column: "product_id", required: false },
  fields: {
    id: id(),
    product_id: ofProductOrNone.id("Id of the product that the question is about; null for the whole store."),
    product_slug: ofProductOrNone.slug("Slug of that product; null for the whole store."),
    type: slug("Kind of question, for example licensing. Shops may add kinds."),
    question: name("The question.", "'How do I update?'"),
    answer: textOfHtml("answer_html", "The answer, plain text."),
    answer_html: html("answer_html", "The answer."),
  },
  hidden: { position: position("Place of the question in its list.") },
  columns: {
    product_id: ["INTEGER", (faq) => faq.product_id],
    product_slug: ["TEXT", (faq) => faq.product_slug],
    type: ["TEXT", (faq) => faq.type],
    position: ["INTEGER", "position"],
  },
  filters: { product_id: equals("product_id"), product_slug: equals("product_slug"), type: equals("type") },
  sorts: { position: [asc("position")] },
});
export type Faq = ShapeOf<typeof faq>;

export const listFaqs = operation("faqs", {
  id: "listFaqs",
  tag: "Product information",
  summary: "List questions",
  purpose: "Active questions and answers, about one product or the whole store.",
  answer: "The questions in the store's order. This list has no pages.",
  params: {
    type: "Only FAQs of this kind, for example licensing.",
    limit: "Largest number of records. A value above 100 is read as 100.",
  },
  list: faq.list,
});
