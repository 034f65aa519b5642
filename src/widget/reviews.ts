/**
 * The review widget, as it runs in a shop's page. All it asks for are files: the product, for its average rating, pages of
 * its reviews, and where those are more than one page, the lists of each rating.
 */
import { type Answer, ask, type Product, type Review } from "./answers.ts";
import type { Language } from "./language.ts";
import { type Display, limitOf, startWidget } from "./start.ts";
import { REVIEWS_CSS } from "./styles.ts";
import { TEXTS, type Texts } from "./texts.ts";
import { bar, element, link, reviewCard, summary } from "./view.ts";

/** The address of a question at the store's API: a parameter of the function that the bundle is wrapped in. */
declare const api: (question: string) => string;

const DEFAULT_LIMIT = 5;
/** As many as a page of the API has. */
const PAGE = 20;
const RATINGS = [5, 4, 3, 2, 1] as const;

/** Search engines take a rating only with what was rated, and only once a page. */
function addJsonLd({ title, public_url: url, rating_summary }: Product, reviews: readonly Review[]): void {
  if (document.querySelector("script[data-vitrine]") !== null) return;
  const { average, count } = rating_summary;
  const aggregateRating = { "@type": "AggregateRating", ratingValue: average, reviewCount: count };
  const review = reviews.map((each) => ({
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
  // Escaped, so that a text can't end the element where somebody saves the page as HTML.
  const json = JSON.stringify(data).replace(/</g, "\\u003c");
  document.head.append(element("script", { type: "application/ld+json", "data-vitrine": "json-ld" }, json));
}

type Words = ReturnType<typeof words>;

/** The language and its words of reviews. */
function words(language: Language) {
  const [heading, verified, more, none, failed, next, write] = TEXTS[language.code] as Texts;
  return { ...language, heading, verified, more, none, failed, next, write };
}

type List = Answer<readonly Review[]>;

/** A page of a product's reviews, of one rating or (0) of all. */
function askList(slug: string, rating: number, page: number): Promise<List> {
  const filter = rating > 0 ? `&rating=${rating}` : "";
  return ask(api(`/reviews?product_slug=${encodeURIComponent(slug)}${filter}&page=${page}`));
}

interface Shown {
  readonly slug: string;
  readonly product: Product;
  /** The first page of all ratings. */
  readonly first: readonly Review[];
  readonly language: Words;
  readonly data: DOMStringMap;
}

/** The reviews of the chosen rating, and a button for more of them. Returns how to choose. */
function listOf({ slug, product, first, language, data }: Shown) {
  const step = limitOf(data, DEFAULT_LIMIT);
  const list = element("ul", { role: "list", "aria-live": "polite" });
  const more = element("button", { class: "more" }, language.next);
  const all = product.rating_summary.count;
  let [rating, total] = [0, all];
  let reviews = first;
  const draw = (from: number) => {
    const next = reviews
      .slice(from, from + step)
      .map((each) => reviewCard(each, language, data["photos"] !== undefined));
    list.append(...next);
    more.hidden = list.children.length >= total;
  };
  more.onclick = async () => {
    const from = list.children.length;
    more.disabled = true;
    if (from + step > reviews.length && reviews.length < total) {
      const answer = await askList(slug, rating, reviews.length / PAGE + 1).catch(() => null);
      if (answer?.success) reviews = [...reviews, ...answer.data];
      else total = reviews.length;
    }
    more.disabled = false;
    draw(from);
  };
  /** Of one rating, of which the first page is here, or 0 for all. */
  const choose = (chosen: number, page: readonly Review[], count: number) => {
    [rating, reviews, total] = [chosen, page, count];
    list.replaceChildren();
    draw(0);
  };
  choose(0, first, all);
  return { choose, nodes: [list, more, ...link(product.public_url, language.more)] };
}

interface Rated {
  readonly page: readonly Review[];
  readonly count: number;
}

/**
 * The first page of each rating: where all reviews are here, they are counted, else a file says it. A rating that nobody gave
 * has no file. Null where one is missing that must be there: the others don't add up.
 */
async function rated({ slug, product, first }: Shown): Promise<readonly Rated[] | null> {
  const { count: all } = product.rating_summary;
  const lists = RATINGS.map(async (rating): Promise<Rated> => {
    if (first.length >= all) {
      const page = first.filter((review) => review.rating === rating);
      return { page, count: page.length };
    }
    const answer = await askList(slug, rating, 1).catch(() => null);
    return answer?.success
      ? { page: answer.data, count: answer.pagination?.total ?? 0 }
      : { page: [], count: 0 };
  });
  const ratings = await Promise.all(lists);
  return ratings.reduce((sum, { count }) => sum + count, 0) === all ? ratings : null;
}

/** Five bars, each a switch. They stand where space is kept for them. */
async function addBars(
  group: Element,
  shown: Shown,
  choose: ReturnType<typeof listOf>["choose"],
): Promise<void> {
  const ratings = await rated(shown);
  if (ratings === null) return group.remove();
  const { count: all } = shown.product.rating_summary;
  const bars = ratings.map(({ count }, at) => bar(RATINGS[at] ?? 0, count, all, shown.language));
  bars.forEach((each, at) => {
    each.onclick = () => {
      const isChosen = each.getAttribute("aria-pressed") !== "true";
      for (const other of bars) other.setAttribute("aria-pressed", `${isChosen && other === each}`);
      const { page, count } = ratings[at] as Rated;
      if (isChosen) choose(RATINGS[at] ?? 0, page, count);
      else choose(0, shown.first, all);
    };
  });
  group.replaceChildren(...bars);
}

async function load(slug: string, data: DOMStringMap, spoken: Language, display: Display): Promise<void> {
  const language = words(spoken);
  const asked = askList(slug, 0, 1);
  // Where the product alone says all, nobody waits for it.
  asked.catch(() => undefined);
  const answer = await ask<Product>(api(`/product?slug=${encodeURIComponent(slug)}`));
  if (!answer.success && answer.error.code === "not_found") {
    console.warn(`Vitrine: no product "${slug}"`);
    return display("not-found", language.failed);
  }
  const write = link(data["reviewUrl"], language.write, { class: "more", part: "write" });
  // Without a fallback, a list without a result is not found.
  if (answer.success && !answer.data.rating_summary.count)
    return display("empty", element("p", {}, language.none), ...write);
  const reviews = await asked;
  if (!answer.success || !reviews.success) return display("failed", language.failed);
  const shown: Shown = { slug, product: answer.data, first: reviews.data, language, data };
  const { choose, nodes } = listOf(shown);
  const group = element("div", { role: "group", "aria-label": language.heading, part: "bars" });
  display("ready", summary(answer.data.rating_summary, language), group, ...write, ...nodes);
  if (data["jsonLd"] !== undefined) addJsonLd(answer.data, reviews.data.slice(0, DEFAULT_LIMIT));
  await addBars(group, shown, choose);
}

startWidget("reviews", "productSlug", REVIEWS_CSS, DEFAULT_LIMIT, load, (code) => {
  const [heading, , , , failed] = TEXTS[code] as Texts;
  return [heading, failed];
});
