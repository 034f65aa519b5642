/**
 * The review widget, as it runs in a shop's page. Files answer all its requests: the product with its average rating, pages of
 * its reviews and, if there is more than one page, the list of each rating.
 */
import { JSON_LD_FILE } from "../api/endpoints.ts";
import { type Answer, type Ask, noneIfMissing, type Product, type Review } from "./answers.ts";
import { complain } from "./complain.ts";
import { defineWidget, isSet, settingOf, type Widget } from "./element.ts";
import type { Language } from "./language.ts";
import { REVIEWS_CSS } from "./styles.ts";
import { againButton, BLANK, bar, element, link, reviewCard, settle, summary } from "./view.ts";

const DEFAULT_LIMIT = 5;
/** As many as a page of the API has. */
const PAGE = 20;
const RATINGS = [5, 4, 3, 2, 1] as const;

/** Reviews with one rating, or (0) with any. */
interface Rated {
  readonly rating: number;
  /** The first pages. */
  reviews: readonly Review[];
  /** The number of all. */
  total: number;
}

/** A page of a product's reviews. */
function askList(ask: Ask, slug: string, rating: number, page: number): Promise<Answer<readonly Review[]>> {
  const filter = rating > 0 ? `&rating=${rating}` : "";
  return ask(`/reviews?product_slug=${slug}${filter}&page=${page}`);
}

interface Records {
  readonly product: Pick<Product, "title" | "public_url" | "rating_summary">;
  readonly all: Rated;
}

/** The button to the page where a customer writes a review. */
function writeLink({ host, language }: Widget): Element[] {
  return link(settingOf(host, "review-url"), language.write, { class: "more", part: "write" });
}

function nameOf({ title }: Records["product"], { heading }: Language): string {
  return `${heading}: ${title}`;
}

/**
 * What a widget shows below its heading: the average, a bar for each rating, the reviews with the chosen rating, and a button for
 * more. The bars are blank until `fill` is called.
 */
function contentOf(widget: Widget, { product, all }: Records) {
  const { host, slug, language, limit, ask } = widget;
  const list = element("ul", { role: "list", "aria-live": "polite" });
  const more = element("button", { class: "more" }, language.more);
  let chosen = all;

  const draw = () => {
    const from = list.children.length;
    const next = chosen.reviews
      .slice(from, from + limit)
      .map((each) => reviewCard(each, language, isSet(host, "photos")));
    list.append(...next);
    // A hidden button would lose the focus.
    const isFocused = more.matches(":focus");
    more.hidden = from + limit >= chosen.total;
    const newest = isFocused && more.hidden && next[0];
    if (newest) {
      newest.tabIndex = -1;
      newest.focus();
    }
  };

  more.onclick = async () => {
    const mine = chosen;
    const { rating, reviews, total } = mine;
    if (more.ariaDisabled) return;
    if (list.children.length + limit > reviews.length && reviews.length < total) {
      // A disabled button would lose the focus.
      more.ariaDisabled = "true";
      const answer = await askList(ask, slug, rating, reviews.length / PAGE + 1)
        .catch(noneIfMissing)
        .catch(() => null);
      more.ariaDisabled = null;
      more.textContent = answer ? language.more : `${language.failed} ${language.again}`;
      if (!answer) return;
      mine.reviews = reviews.concat(answer.data);
      if (answer.data.length === 0) mine.total = reviews.length;
    }
    // Else another rating was chosen in the meantime.
    if (mine === chosen) draw();
  };

  const group = element(
    "div",
    { role: "group", "aria-label": nameOf(product, language), part: "bars" },
    ...RATINGS.map((rating) => bar(rating, 0, 1, language)),
  );
  let bars: Element[];

  /** If all reviews are on one page, they are counted; else a file has the first page of a rating. A rating without reviews has none. */
  const askRated = async (rating: number): Promise<Rated> => {
    if (all.reviews.length >= all.total) {
      const reviews = all.reviews.filter((each) => each.rating === rating);
      return { rating, reviews, total: reviews.length };
    }
    const { data, pagination } = await askList(ask, slug, rating, 1).catch(noneIfMissing);
    return { rating, reviews: data, total: pagination?.total ?? 0 };
  };

  /** Each bar is a switch. */
  const barOf = (rated: Rated) => {
    const made = bar(rated.rating, rated.total, all.total, language);
    made.onclick = () => {
      const isChosen = made.ariaPressed !== "true";
      for (const each of bars) each.ariaPressed = `${isChosen && each === made}`;
      chosen = isChosen ? rated : all;
      list.replaceChildren();
      draw();
    };
    return made;
  };

  const fill = async () => {
    group.ariaBusy = "true";
    try {
      const ratings = await Promise.all(RATINGS.map(askRated));
      // If the numbers don't add up, a file is missing.
      let sum = 0;
      for (const { total } of ratings) sum += total;
      bars = sum === all.total ? ratings.map(barOf) : [];
    } catch {
      // The list is there: only its bars can be asked for again.
      bars = [againButton(language, fill)];
    }
    settle(group, () => {
      group.ariaBusy = "false";
      group.replaceChildren(...bars);
      return group;
    });
  };

  draw();
  return {
    fill,
    nodes: [
      summary(product.rating_summary, language),
      // One review needs no bars.
      ...(all.total > 1 ? [group] : []),
      ...writeLink(widget),
      list,
      more,
      ...link(product.public_url, language.all),
    ],
  };
}

defineWidget<Records>({
  name: "reviews",
  attributes: ["product-slug", "limit", "photos", "review-url", "json-ld"],
  css: REVIEWS_CSS,
  usual: DEFAULT_LIMIT,
  isTitled: true,
  blank(widget) {
    const reviews = Array(widget.limit).fill(BLANK);
    return contentOf(widget, { product: BLANK, all: { rating: 0, reviews, total: 99 } }).nodes;
  },
  async load({ slug, ask }) {
    const asked = askList(ask, slug, 0, 1);
    // A product without reviews needs no list, so a failure of the list does not matter.
    asked.catch(() => undefined);
    const { data: product } = await ask<Product>(`/product?slug=${slug}`);
    const total = product.rating_summary.count;
    if (total === 0) return { product, all: { rating: 0, reviews: [], total } };
    // Without a fallback, an empty list answers 404.
    const { data: reviews } = await asked.catch(noneIfMissing);
    if (reviews.length === 0) throw new Error("the list of its reviews is missing");
    return { product, all: { rating: 0, reviews, total } };
  },
  async show(widget, records) {
    const { product, all } = records;
    const { host, address, display, language, signal } = widget;
    const displayNamed = (state: "empty" | "ready", ...content: readonly Element[]) => {
      // The widgets of two products have two names.
      display(state, ...content).ariaLabel = nameOf(product, language);
    };
    const form = settingOf(host, "review-url");
    const write = writeLink(widget);
    if (form && write.length === 0) complain(`review-url="${form}" is this page, or no web address.`, host);
    if (all.total === 0) return displayNamed("empty", element("p", {}, language.none), ...write);
    const { fill, nodes } = contentOf(widget, records);
    displayNamed("ready", ...nodes);
    if (isSet(host, "json-ld")) {
      import(address(`/../../${JSON_LD_FILE}`))
        .then(({ addJsonLd }) => addJsonLd(product, all.reviews, signal))
        .catch((error) => complain(error, host));
    }
    if (all.total > 1) await fill();
  },
});
