/**
 * The review widget, as it runs in a shop's page. Files answer all its requests: the product with its average rating, pages of
 * its reviews and, if there is more than one page, the list of each rating.
 */
import { type Answer, type Ask, noneIfMissing, type Product, type Review } from "./answers.ts";
import { complain } from "./complain.ts";
import { defineWidget, isSet, type Widget } from "./element.ts";
import type { Language } from "./language.ts";
import { shared } from "./shared.ts";
import { REVIEWS_CSS } from "./styles.ts";
import { TEXTS, type Texts } from "./texts.ts";
import { againButton, BLANK, bar, element, link, reviewCard, settle, summary } from "./view.ts";

const DEFAULT_LIMIT = 5;
/** As many as a page of the API has. */
const PAGE = 20;
const RATINGS = [5, 4, 3, 2, 1] as const;

/** Search engines accept a rating only with the rated product, and only one per page: that of the first widget in the page. */
function addJsonLd(
  { title, public_url: url, rating_summary }: Product,
  reviews: readonly Review[],
  signal: AbortSignal,
): void {
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
  // Escaped, so that a text can't close the element if a reader saves the page as HTML.
  const json = JSON.stringify(data).replace(/</g, "\\u003c");
  const script = element("script", { type: "application/ld+json", "data-vitrine": "json-ld" }, json);
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

type Words = ReturnType<typeof words>;

/** The language and its texts for reviews. */
function words(language: Language) {
  const [heading, verified, more, none, failed, next, write] = TEXTS[language.code] as Texts;
  return { ...language, heading, verified, more, none, failed, next, write };
}

type List = Answer<readonly Review[]>;

/** A page of a product's reviews, of one rating or (0) of all. */
function askList(ask: Ask, slug: string, rating: number, page: number): Promise<List> {
  const filter = rating > 0 ? `&rating=${rating}` : "";
  return ask(`/reviews?product_slug=${slug}${filter}&page=${page}`);
}

interface Shown extends Widget {
  readonly product: Product;
  /** The first page of all ratings. */
  readonly first: readonly Review[];
  readonly language: Words;
}

/** The reviews with the chosen rating, and a button for more. Returns a function that chooses a rating. */
function listOf({ host, slug, product, first, language, limit: step, ask }: Shown) {
  const list = element("ul", { role: "list", "aria-live": "polite" });
  const more = element("button", { class: "more" }, language.next);
  const all = product.rating_summary.count;
  let [rating, total] = [0, all];
  let reviews = first;
  const draw = (from: number) => {
    const next = reviews
      .slice(from, from + step)
      .map((each) => reviewCard(each, language, isSet(host, "photos")));
    list.append(...next);
    // A hidden button would lose the focus.
    const isFocused = more.matches(":focus");
    more.hidden = list.children.length >= total;
    const [newest] = next;
    if (more.hidden && isFocused && newest) {
      newest.tabIndex = -1;
      newest.focus();
    }
  };
  more.onclick = async () => {
    if (more.ariaDisabled) return;
    const from = list.children.length;
    const known = reviews;
    // A disabled button would lose the focus.
    more.ariaDisabled = "true";
    if (from + step > known.length && known.length < total) {
      const answer = await askList(ask, slug, rating, known.length / PAGE + 1)
        .catch(noneIfMissing)
        .catch(() => null);
      more.ariaDisabled = null;
      more.textContent = answer ? language.next : `${language.failed} ${language.again}`;
      // Another rating was chosen in the meantime.
      if (reviews !== known || answer === null) return;
      reviews = [...reviews, ...answer.data];
      if (answer.data.length === 0) total = reviews.length;
    }
    more.ariaDisabled = null;
    draw(from);
  };
  /** Shows the reviews with one rating, starting with this first page; 0 is all ratings. */
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
 * The first page of each rating: if all reviews are on one page, they are counted; otherwise a file has the number. A rating
 * without reviews has no file. Null if the numbers don't add up because a file is missing.
 */
async function rated({ slug, product, first, ask }: Shown): Promise<readonly Rated[] | null> {
  const { count: all } = product.rating_summary;
  const lists = RATINGS.map(async (rating): Promise<Rated> => {
    if (first.length >= all) {
      const page = first.filter((review) => review.rating === rating);
      return { page, count: page.length };
    }
    const answer: List = await askList(ask, slug, rating, 1).catch(noneIfMissing);
    return { page: answer.data, count: answer.pagination?.total ?? 0 };
  });
  const ratings = await Promise.all(lists);
  return ratings.reduce((sum, { count }) => sum + count, 0) === all ? ratings : null;
}

/** Five bars, each a switch, in the space that is reserved for them. */
async function addBars(
  group: HTMLElement,
  shown: Shown,
  choose: ReturnType<typeof listOf>["choose"],
): Promise<void> {
  const display = (...content: readonly Element[]) =>
    settle(group, () => {
      group.ariaBusy = "false";
      group.replaceChildren(...content);
      return group;
    });
  let ratings: readonly Rated[] | null;
  try {
    ratings = await rated(shown);
  } catch {
    // The list is there: only its bars can be asked for again.
    const run = () => addBars(group, shown, choose);
    return display(againButton(shown.language, shown.signal, run));
  }
  const { count: all } = shown.product.rating_summary;
  const bars = (ratings ?? []).map(({ count }, at) => bar(RATINGS[at] ?? 0, count, all, shown.language));
  bars.forEach((each, at) => {
    each.onclick = () => {
      const isChosen = each.getAttribute("aria-pressed") !== "true";
      for (const other of bars) other.setAttribute("aria-pressed", `${isChosen && other === each}`);
      const { page, count } = ratings?.[at] ?? { page: [], count: 0 };
      if (isChosen) choose(RATINGS[at] ?? 0, page, count);
      else choose(0, shown.first, all);
    };
  });
  display(...bars);
}

/** The button to the page where a customer writes a review. */
function writeLink({ host }: Widget, language: Words): Element[] {
  return link(host.getAttribute("review-url"), language.write, { class: "more", part: "write" });
}

function nameOf({ title }: Product, { heading }: Words): string {
  return `${heading}: ${title}`;
}

/** What a widget shows below its heading. One review needs no bars; more get theirs in the place of blank ones. */
function partsOf(shown: Shown) {
  const { product, language } = shown;
  const blank = RATINGS.map((rating) => bar(rating, 0, 1, language));
  const group = element(
    "div",
    { role: "group", "aria-label": nameOf(product, language), part: "bars" },
    ...blank,
  );
  const bars = product.rating_summary.count > 1 ? [group] : [];
  const { choose, nodes } = listOf(shown);
  const header = summary(product.rating_summary, language);
  return { bars, choose, nodes: [header, ...bars, ...writeLink(shown, language), ...nodes] };
}

async function load(widget: Widget): Promise<void> {
  const { host, slug, ask, display, signal } = widget;
  const language = words(widget.language);
  const asked = askList(ask, slug, 0, 1);
  // A product without reviews needs no list, so a failure of the list does not matter.
  asked.catch(() => undefined);
  const { data: product } = await ask<Product>(`/product?slug=${slug}`);
  const displayNamed = (state: "empty" | "ready", ...content: readonly Element[]) => {
    display(state, ...content);
    // The widgets of two products have two names.
    host.shadowRoot?.firstElementChild?.setAttribute("aria-label", nameOf(product, language));
  };
  const form = host.getAttribute("review-url");
  const write = writeLink(widget, language);
  if (form && write.length === 0) complain(`review-url="${form}" is this page, or no web address.`, host);
  if (product.rating_summary.count === 0)
    return displayNamed("empty", element("p", {}, language.none), ...write);
  // Without a fallback, an empty list answers 404.
  const { data: first } = await asked.catch(noneIfMissing);
  if (first.length === 0) throw new Error("the list of its reviews is missing");
  const shown: Shown = { ...widget, product, first, language };
  const { bars, choose, nodes } = partsOf(shown);
  for (const group of bars) group.ariaBusy = "true";
  displayNamed("ready", ...nodes);
  if (isSet(host, "json-ld")) addJsonLd(product, first.slice(0, DEFAULT_LIMIT), signal);
  for (const group of bars) await addBars(group, shown, choose);
}

defineWidget({
  name: "reviews",
  attributes: ["product-slug", "limit", "photos", "review-url", "json-ld"],
  css: REVIEWS_CSS,
  usual: DEFAULT_LIMIT,
  blank(widget) {
    const first = Array(widget.limit).fill(BLANK);
    return partsOf({ ...widget, product: BLANK, first, language: words(widget.language) }).nodes;
  },
  load,
  words(code) {
    const [heading, , , , failed] = TEXTS[code] as Texts;
    return [heading, failed];
  },
});
