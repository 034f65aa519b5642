/**
 * A product as schema.org data, for its page in the shop, where search engines read it. The file's bytes can be pasted between
 * script tags unchanged.
 */
import { hasPrice } from "../../api/money.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { type Feed, type FeedProduct, feedFile } from "./feed.ts";
import { decimalPrice } from "./money.ts";
import { describe, imagesOf, readProduct } from "./products.ts";
import { asciiUrl, oneLine, plainText } from "./text.ts";

const MOST_TITLE = 150;
const MOST_TEXT = 5000;

const AVAILABILITY = {
  published: "https://schema.org/InStock",
  preorder: "https://schema.org/PreOrder",
  coming_soon: "https://schema.org/OutOfStock",
} as const;

/** None without a price. Has no `priceValidUntil`: the end of a sale is not public. */
function offerOf(product: FeedProduct, seller: string) {
  const { current, currency } = product.pricing;
  const price = hasPrice(product) ? decimalPrice(current, currency) : null;
  const url = asciiUrl(product.public_url);
  if (price === null) return {};
  return {
    offers: {
      "@type": "Offer",
      price,
      priceCurrency: currency,
      availability: AVAILABILITY[product.status],
      ...(url === null ? {} : { url }),
      seller: { "@type": "Organization", name: seller },
    },
  } as const;
}

function ratingOf({ rating_summary: { average, best, worst, count } }: FeedProduct) {
  if (count === 0) return {};
  return {
    aggregateRating: {
      "@type": "AggregateRating",
      ratingValue: average,
      ratingCount: count,
      bestRating: best,
      worstRating: worst,
    },
  } as const;
}

function faqPageOf({ faqs = [] }: FeedProduct) {
  const questions = faqs
    .map((faq) => ({ question: oneLine(faq.question, MOST_TEXT), answer: plainText(faq.answer, MOST_TEXT) }))
    .filter(({ question, answer }) => question !== "" && answer !== "")
    .map(
      ({ question, answer }) =>
        ({
          "@type": "Question",
          name: question,
          acceptedAnswer: { "@type": "Answer", text: answer },
        }) as const,
    );
  return questions.length === 0 ? [] : [{ "@type": "FAQPage", mainEntity: questions } as const];
}

/** The product, and its FAQs if it has some. */
export function productGraph(product: FeedProduct, seller: string) {
  const url = asciiUrl(product.public_url);
  const text = plainText(describe(product), MOST_TEXT);
  const image = imagesOf(product, asciiUrl);
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Product",
        ...(url === null ? {} : { "@id": `${url}#product`, url }),
        name: oneLine(product.title, MOST_TITLE),
        sku: String(product.id),
        ...(text === "" ? {} : { description: text }),
        ...(image.length === 0 ? {} : { image }),
        category: oneLine(product.category.name, MOST_TITLE),
        ...offerOf(product, seller),
        ...ratingOf(product),
      },
      ...faqPageOf(product),
    ],
  } as const;
}

/** JSON that cannot end a script element or begin a comment in it. */
function scriptSafe(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function jsonLdKey(id: number): string {
  return `feeds/jsonld/${id}.jsonld`;
}

function makeFile(catalog: Catalog, id: number): string {
  const product = readProduct(catalog, id);
  if (product === null) throw new Error(`product ${id} has no detail`);
  return `${scriptSafe(productGraph(product, catalog.store.store_name))}\n`;
}

export const jsonLd: Feed = {
  *files(inputs) {
    const { catalog, digests } = inputs;
    const own = digests.of("product");
    for (const [row, id] of catalog.list("product").ids.entries()) {
      const records = { list: own.list(row), detail: own.detail(row) };
      yield feedFile(inputs, jsonLdKey(id), records, () => makeFile(catalog, id));
    }
  },
  count: ({ db }) => db.prepare<[], number>("SELECT COUNT(*) FROM product").pluck().get() ?? 0,
};
