/**
 * A product as schema.org data, for its page in the shop: search engines read it there, not here. Its bytes may stand between
 * script tags as they are.
 */
import type { Catalog } from "../catalog/catalog.ts";
import { type CatalogChange, type Feed, type FeedFile, type FeedProduct, isOtherStore } from "./feed.ts";
import { decimalPrice } from "./money.ts";
import { describe, imagesOf, readProduct, readProducts } from "./products.ts";
import { asciiUrl, oneLine, plainText } from "./text.ts";

const MOST_TITLE = 150;
const MOST_TEXT = 5000;

const AVAILABILITY = {
  published: "https://schema.org/InStock",
  preorder: "https://schema.org/PreOrder",
  coming_soon: "https://schema.org/OutOfStock",
} as const;

/** No `priceValidUntil`: when a sale ends is not public. */
function offerOf(product: FeedProduct, seller: string) {
  const { current, currency } = product.pricing;
  const price = decimalPrice(current, currency);
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

/** The product, and its questions where it has some. */
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

/** Between script tags nothing in it ends the script or begins a comment. */
function scriptSafe(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function jsonLdKey(id: number): string {
  return `feeds/jsonld/${id}.jsonld`;
}

function fileOf({ store }: Catalog, product: FeedProduct): FeedFile {
  const make = () => `${scriptSafe(productGraph(product, store.store_name))}\n`;
  return { key: jsonLdKey(product.id), make };
}

function* allFiles(catalog: Catalog): Generator<FeedFile> {
  for (const product of readProducts(catalog)) yield fileOf(catalog, product);
}

export const jsonLd: Feed = {
  files: allFiles,
  *changed(change: CatalogChange) {
    const { after, rows } = change;
    const { put = [], deleted = [] } = rows.get("product") ?? {};
    if (isOtherStore(change)) yield* allFiles(after);
    else
      for (const { id } of put) {
        const product = readProduct(after, id);
        if (product !== null) yield fileOf(after, product);
      }
    for (const id of deleted) yield { gone: jsonLdKey(id) };
  },
  count: ({ db }) => db.prepare<[], number>("SELECT COUNT(*) FROM product").pluck().get() ?? 0,
};
