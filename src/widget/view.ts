/** What the widget shows. Whatever a record says becomes a text node; nothing is ever parsed as HTML. */
import type { Product, Review } from "./answers.ts";
import type { Language } from "./language.ts";

const SVG = "http://www.w3.org/2000/svg";
/** Five stars in a box of 120 by 24. */
const STARS = [0, 24, 48, 72, 96]
  .map((x) => `M${x + 12} 2l3 7 7 .6-5.3 4.9 1.7 7.5-6.4-4-6.4 4 1.7-7.5-5.3-4.9 7-.6z`)
  .join("");

/** An element with its attributes and what stands in it: nodes, and texts as they are. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (Node | string)[]
): Element {
  const isDrawn = name === "svg" || name === "path";
  const made = isDrawn ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const attribute in attributes) made.setAttribute(attribute, attributes[attribute] as string);
  made.append(...content);
  return made;
}

/** Stars filled to the nearest half, by a nested box that cuts them: no style attribute, no id. */
function stars(rating: number, { average }: Language): Element {
  const label = { role: "img", "aria-label": average(rating), part: "stars", viewBox: "0 0 120 24" };
  const width = `${Math.round(rating * 2) * 12}`;
  const full = element("svg", { width, height: "24" }, element("path", { d: STARS }));
  return element("svg", label, element("path", { d: STARS }), full);
}

function card(review: Review, language: Language): Element {
  const article = element("article", {}, stars(review.rating, language));
  if (review.title) article.append(element("h3", { dir: "auto" }, review.title));
  const time = element("time", { datetime: review.created_at }, language.date(review.created_at));
  const by = element("small", {}, element("bdi", {}, review.customer_display_name), " · ", time);
  if (review.verified_purchase) by.append(" · ", element("em", {}, `✓ ${language.verified}`));
  article.append(element("p", { dir: "auto" }, review.body), by);
  return element("li", { part: "review" }, article);
}

/** The page that has all reviews: the product's own, unless the widget stands in it. */
function moreLink(address: string, { more }: Language): Element[] {
  const isHere = address === location.origin + location.pathname;
  return isHere || !/^https?:/.test(address) ? [] : [element("a", { href: address }, more)];
}

export function reviewsView(product: Product, reviews: readonly Review[], language: Language): Element[] {
  const { average, count } = product.rating_summary;
  const line = element("header", {}, stars(average, language));
  line.append(element("b", {}, language.average(average)), element("small", {}, language.count(count)));
  const cards = reviews.map((review) => card(review, language));
  const more = count > reviews.length ? moreLink(product.public_url, language) : [];
  return [line, element("ul", { role: "list" }, ...cards), ...more];
}
