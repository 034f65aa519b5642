/** The widgets' elements. Texts of records become text nodes; nothing is ever parsed as HTML. */

import { hasPrice, MAX_DIGITS } from "../api/money.ts";
import type { Product, Review } from "./answers.ts";
import type { Language } from "./language.ts";

const SVG = "http://www.w3.org/2000/svg";
/** Five stars in a box of 120 by 24. */
const STARS = `M-12 2${"m24 0l3 7 7 1-5 5 1 7-6-4-6 4 1-7-5-5 7-1z".repeat(5)}`;

const WORDS = "xxxxx ".repeat(14);

/** A review, and its product, of the usual size. They are laid out and not shown, for the space of those that are loading. */
export const BLANK = {
  title: WORDS.slice(0, 17),
  body: WORDS,
  public_url: "https://x",
  rating: 5,
  rating_summary: { average: 5, count: 99 },
  customer_display_name: WORDS.slice(0, 11),
  customer_avatar: "",
  verified_purchase: true,
  created_at: "",
};

/** An element with its attributes and its content: nodes, and texts that become text nodes. */
export function element<Name extends string>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (Node | string)[]
): Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : Element {
  const isDrawn = /svg|path|rect/.test(name);
  const made = isDrawn ? document.createElementNS(SVG, name) : document.createElement(name);
  // A page's script may have given every object more names: `for … in` would set them, too.
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content);
  return made as never;
}

/**
 * Changes what an element shows. What follows it on the screen stays where it is: where the new content is shorter, the
 * returned box keeps the space, down to the end of the screen, until it is clicked.
 */
export function settle(shown: Element, change: () => HTMLElement): HTMLElement {
  const { bottom } = shown.getBoundingClientRect();
  const box = change();
  const { style, offsetWidth } = box;
  const { top, width } = box.getBoundingClientRect();
  // Pixels of a page that is enlarged by `zoom` are larger than those of the screen.
  style.minHeight = `${((Math.min(bottom, innerHeight) - top) * offsetWidth) / width}px`;
  box.onclick = () => (style.minHeight = "");
  return box;
}

/** Stars filled to the nearest half. A nested box cuts them, so there is no style attribute and no id. */
function stars(rating: number, words: string): Element {
  const label = { role: "img", "aria-label": words, part: "stars", viewBox: "0 0 120 24" };
  const width = `${Math.round(rating * 2) * 12}`;
  const full = element("svg", { width, height: "24" }, element("path", { d: STARS }));
  return element("svg", label, element("path", { d: STARS }), full);
}

/** The average rating and the number of reviews, in words if no shorter texts are given. */
export function summary(
  { average, count }: Product["rating_summary"],
  language: Language,
  rating = language.average(average),
  counted = language.count(count),
): Element {
  const drawn = stars(average, language.average(average));
  return element("header", {}, drawn, element("b", {}, rating), element("small", {}, counted));
}

/** A text of which only the number is seen and the rest is heard: the name of a button has to contain what it shows. */
function numberOf(number: string, text: string): Element {
  const [before = "", ...after] = text.split(number);
  const heard = (part: string) => element("span", {}, part);
  return element("small", {}, heard(before), number, heard(after.join(number)));
}

/** One of five bars: the number of reviews with this rating, and a switch that shows only those. */
export function bar(rating: number, count: number, all: number, language: Language): HTMLButtonElement {
  const share = { width: `${(100 * count) / all}%`, height: "100%" };
  const button = element(
    "button",
    { "aria-pressed": "false" },
    numberOf(language.number(rating), `${language.rating(rating)}: `),
    element("svg", {}, element("rect", share)),
    numberOf(language.number(count), language.count(count)),
  );
  button.disabled = count === 0;
  return button;
}

/** Asks again for what failed, as a click does, when the browser is online again. */
export function pressFailed(root: ShadowRoot): void {
  for (const each of root.querySelectorAll<HTMLElement>("i,.again")) each.click();
}

/** "Try again", after a failed request. */
export function againButton(language: Language, run: () => void): Element {
  const button = element("button", { class: "more again" }, language.again);
  button.onclick = run;
  return button;
}

/** A picture, if the shop has one. One that can't be loaded keeps its space, so that nothing moves. */
function photo(address: string): Element[] {
  if (!/^https?:/.test(address)) return [];
  const image = element("img", { src: address, alt: "", loading: "lazy", referrerpolicy: "no-referrer" });
  const blank = element("i", {});
  image.onerror = () => image.replaceWith(blank);
  blank.onclick = () => {
    blank.replaceWith(image);
    image.src = address;
  };
  return [image];
}

/** Name, picture, rating, price, and the state of a product that is not out yet; the name links to the shop's page. */
export function productCard(product: Product, language: Language): Element {
  const { title, image, public_url, rating_summary, pricing, status } = product;
  const { free = "Free", preorder = "Preorder", coming = "Coming soon" } = language;
  const { current, regular, currency } = pricing;
  const article = element("article", { part: "card", class: "box" }, ...photo(image));
  const name = link(public_url, title);
  article.append(element("h3", { dir: "auto" }, ...(name.length > 0 ? name : [title])));
  const { average, count } = rating_summary;
  if (count > 0)
    article.append(
      summary(rating_summary, language, language.decimal(average), `(${language.number(count)})`),
    );
  const priceOf = (amount: number) =>
    language.number(amount, { style: "currency", currency, maximumFractionDigits: MAX_DIGITS });
  const words = current === 0 ? free : priceOf(current);
  const price = element("p", {}, ...(hasPrice(product) ? [element("b", {}, words)] : []));
  if (current < regular) price.append(" ", element("s", {}, priceOf(regular)));
  const state = status === "preorder" ? preorder : status === "coming_soon" ? coming : "";
  if (state) price.append(" ", element("small", {}, state));
  article.append(price);
  return article;
}

/** A product of the usual size, for the space of one that is loading. */
export function blankCard(language: Language): Element {
  const pricing = { current: 99, regular: 99, preorder: null, currency: "EUR" };
  const card = productCard({ ...BLANK, image: "", status: "", pricing }, language);
  card.prepend(element("i", {}));
  return card;
}

export function reviewCard(review: Review, language: Language, hasPhotos: boolean): HTMLElement {
  const article = element("article", {}, stars(review.rating, language.rating(review.rating)));
  if (review.title) article.append(element("h3", { dir: "auto" }, review.title));
  const time = element("time", { datetime: review.created_at }, language.date(review.created_at));
  const by = element("small", {}, ...(hasPhotos ? photo(review.customer_avatar) : []));
  by.append(element("bdi", {}, review.customer_display_name), " · ", time);
  if (review.verified_purchase) by.append(" · ", element("em", {}, `✓ ${language.verified}`));
  if (review.body) article.append(element("p", { dir: "auto" }, review.body));
  article.append(by);
  return element("li", { part: "review", class: "box" }, article);
}

/** A link to a web address, also one that is relative to the page; an empty list for the address of this page. */
export function link(address: string | null, words: string, attributes = {}): Element[] {
  const made = element("a", { ...attributes, href: address ?? "" }, words);
  const isOther = address && made.href !== location.origin + location.pathname;
  return isOther && made.protocol.startsWith("http") ? [made] : [];
}
