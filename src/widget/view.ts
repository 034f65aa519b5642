/** The widgets' elements. Texts of records become text nodes; nothing is ever parsed as HTML. */
import type { Product, Review } from "./answers.ts";
import type { Language } from "./language.ts";
import { PRODUCT_TEXTS } from "./texts.ts";

const SVG = "http://www.w3.org/2000/svg";
/** Five stars in a box of 120 by 24. */
const STARS = [0, 24, 48, 72, 96]
  .map((x) => `M${x + 12} 2l3 7 7 .6-5.3 4.9 1.7 7.5-6.4-4-6.4 4 1.7-7.5-5.3-4.9 7-.6z`)
  .join("");

/** An element with its attributes and its content: nodes, and texts that become text nodes. */
export function element<Name extends string>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (Node | string)[]
): Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : Element {
  const isDrawn = name === "svg" || name === "path";
  const made = isDrawn ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const attribute in attributes) made.setAttribute(attribute, attributes[attribute] as string);
  made.append(...content);
  return made as never;
}

/** Stars filled to the nearest half. A nested box cuts them, so there is no style attribute and no id. */
function stars(rating: number, words: string): Element {
  const label = { role: "img", "aria-label": words, part: "stars", viewBox: "0 0 120 24" };
  const width = `${Math.round(rating * 2) * 12}`;
  const full = element("svg", { width, height: "24" }, element("path", { d: STARS }));
  return element("svg", label, element("path", { d: STARS }), full);
}

/** The average rating and the number of reviews. */
export function summary({ average, count }: { average: number; count: number }, language: Language): Element {
  const words = language.average(average);
  const counted = element("small", {}, language.count(count));
  return element("header", {}, stars(average, words), element("b", {}, words), counted);
}

/** One of five bars: the number of reviews with this rating, and a switch that shows only those. */
export function bar(rating: number, count: number, all: number, language: Language): HTMLButtonElement {
  const share = `M0 0h${(100 * count) / all}v1H0z`;
  const box = { viewBox: "0 0 100 1", preserveAspectRatio: "none", "aria-hidden": "true" };
  const label = `${language.rating(rating)}: ${language.count(count)}`;
  const drawn = element("svg", box, element("path", { d: share }));
  const button = element("button", { "aria-label": label, "aria-pressed": "false" });
  button.append(language.number(rating), drawn, element("small", {}, language.number(count)));
  button.disabled = count === 0;
  return button;
}

/** A picture, if the shop has one. */
function photo(address: string): Element[] {
  if (!/^https?:/.test(address)) return [];
  const image = element("img", { src: address, alt: "", loading: "lazy", referrerpolicy: "no-referrer" });
  image.onerror = () => image.remove();
  return [image];
}

/** Name, picture, rating, price, and the state of a product that is not out yet; the name links to the shop's page. */
export function productCard(product: Product, language: Language): Element {
  const { title, image, public_url, rating_summary, pricing, status } = product;
  const { current, regular, currency } = pricing;
  const article = element("article", { part: "card" }, ...photo(image));
  const name = link(public_url, title);
  article.append(element("h3", { dir: "auto" }, ...(name.length > 0 ? name : [title])));
  if (rating_summary.count > 0) article.append(summary(rating_summary, language));
  const [free = "", preorder = "", comingSoon = ""] = PRODUCT_TEXTS[language.code] ?? [];
  const words = current === 0 ? free : language.price(current, currency);
  // A product that is not out yet may have no price, which the API calls 0.
  const hasPrice = status === "published" || current > 0 || regular > 0;
  const price = element("p", {}, ...(hasPrice ? [element("b", {}, words)] : []));
  if (current < regular) price.append(" ", element("s", {}, language.price(regular, currency)));
  const state = status === "preorder" ? preorder : status === "coming_soon" ? comingSoon : "";
  if (state) price.append(" ", element("small", {}, state));
  article.append(price);
  return article;
}

export function reviewCard(
  review: Review,
  language: Language & { readonly verified: string },
  hasPhotos: boolean,
): Element {
  const article = element("article", {}, stars(review.rating, language.rating(review.rating)));
  if (review.title) article.append(element("h3", { dir: "auto" }, review.title));
  const time = element("time", { datetime: review.created_at }, language.date(review.created_at));
  const by = element("small", {}, ...(hasPhotos ? photo(review.customer_avatar) : []));
  by.append(element("bdi", {}, review.customer_display_name), " · ", time);
  if (review.verified_purchase) by.append(" ", element("em", {}, `✓ ${language.verified}`));
  article.append(element("p", { dir: "auto" }, review.body), by);
  return element("li", { part: "review" }, article);
}

/** A link to a web address; an empty list for the address of this page. */
export function link(address: string | null, words: string, attributes = {}): Element[] {
  if (address === null || address === location.origin + location.pathname) return [];
  return /^https?:/.test(address) ? [element("a", { ...attributes, href: address }, words)] : [];
}
