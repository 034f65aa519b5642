/**
 * The rating for search engines, as schema.org's `Product`. A separate module, `widgets/json-ld.js`: the review widget loads it
 * if its tag asks for it, and no reader waits for it.
 */
import type { Product, Review } from "./answers.ts";
import { shared } from "./shared.ts";
import { element } from "./view.ts";

/** As many are in it at most. */
const REVIEWS = 5;

/** Search engines accept a rating only with the rated product, and only one per page: that of the first widget in the page. */
export function addJsonLd(
  { title, public_url: url, rating_summary }: Pick<Product, "title" | "public_url" | "rating_summary">,
  reviews: readonly Review[],
  signal: AbortSignal,
): void {
  const { average, count } = rating_summary;
  const aggregateRating = { "@type": "AggregateRating", ratingValue: average, reviewCount: count };
  const review = reviews.slice(0, REVIEWS).map((each) => ({
    "@type": "Review",
    author: { "@type": "Person", name: each.customer_display_name },
    datePublished: each.created_at.slice(0, 10),
    reviewRating: { "@type": "Rating", ratingValue: each.rating },
    name: each.title,
    reviewBody: each.body,
  }));
  const data = {
    "@context": "https://schema.org",
    "@type": "Product",
    name: title,
    url,
    aggregateRating,
    review,
  };
  // Escaped, so that a text can't close the element if a reader saves the page as HTML.
  const json = JSON.stringify(data).replace(/</g, "\\u003c");
  const script = element("script", { type: "application/ld+json", "data-vitrine": "json-ld" }, json);
  if (signal.aborted) return;
  const { jsonLd } = shared;
  const addFirst = () => {
    // A router may have brought back a copy.
    for (const each of document.querySelectorAll("[data-vitrine=json-ld]")) each.remove();
    const [first] = jsonLd;
    if (first !== undefined) document.head.append(first);
  };
  jsonLd.add(script);
  addFirst();
  signal.addEventListener("abort", () => {
    jsonLd.delete(script);
    addFirst();
  });
}
