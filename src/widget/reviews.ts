/**
 * The review widget, as it runs in a shop's page. It asks for two URLs, both of which are files: the product, for its
 * average rating, and the first page of its reviews.
 */
import { ask, type Product, type Review } from "./answers.ts";
import { chooseLanguage, type Language } from "./language.ts";
import { dress } from "./styles.ts";
import { element, reviewsView } from "./view.ts";

/** The address of a question at the store's API: a parameter of the function that the bundle is wrapped in. */
declare const api: (question: string) => string;

const DEFAULT_LIMIT = 5;
/** As many as the first page has. */
const LARGEST_LIMIT = 20;

type State = "loading" | "ready" | "empty" | "failed" | "not-found";
type Display = (state: State, ...content: readonly (Node | string)[]) => void;

/** Where the reviews stand: in the container that the tag names, else before the tag. */
function place(script: HTMLScriptElement): Element {
  const { theme, container: id } = script.dataset;
  const host = element("div", { "data-vitrine": "reviews", "data-theme": theme ?? "light" });
  const container = document.getElementById(id ?? "");
  if (container === null) script.before(host);
  else container.replaceChildren(host);
  return host;
}

/** Shows states in a shadow root, which neither the page's styles nor its ids touch. */
function createDisplay(host: Element, { code, heading: title }: Language): Display {
  const root = host.attachShadow({ mode: "open" });
  dress(root);
  const dir = code === "ar" ? "rtl" : "ltr";
  return (state, ...content) => {
    host.setAttribute("data-vitrine-state", state);
    const attributes = { lang: code, dir, "aria-label": title, "aria-busy": `${state === "loading"}` };
    const heading = element("h2", { part: "heading" }, title);
    root.replaceChildren(element("section", attributes, heading, ...content));
  };
}

/** Search engines take a rating only with what was rated, and only once a page. */
function addJsonLd({ title, public_url: url, rating_summary: { average, count } }: Product): void {
  if (document.querySelector("script[data-vitrine]") !== null) return;
  const aggregateRating = { "@type": "AggregateRating", ratingValue: average, reviewCount: count };
  const data = { "@context": "https://schema.org", "@type": "Product", name: title, url, aggregateRating };
  // Escaped, so that a title can't end the element where somebody saves the page as HTML.
  const json = JSON.stringify(data).replace(/</g, "\\u003c");
  document.head.append(element("script", { type: "application/ld+json", "data-vitrine": "json-ld" }, json));
}

async function load(
  script: HTMLScriptElement,
  slug: string,
  language: Language,
  display: Display,
): Promise<void> {
  const { limit, jsonLd } = script.dataset;
  const name = encodeURIComponent(slug);
  const [product, reviews] = await Promise.all([
    ask<Product>(api(`/product?slug=${name}`)),
    ask<readonly Review[]>(api(`/reviews?product_slug=${name}`)),
  ]);
  if (!product.success && product.error.code === "not_found") {
    console.warn(`Vitrine: no product "${slug}"`, script);
    return display("not-found", language.failed);
  }
  // Without a fallback, a list without a result is not found.
  if (product.success && !product.data.rating_summary.count) return display("empty", language.none);
  if (!product.success || !reviews.success) return display("failed", language.failed);
  const most = Math.min(LARGEST_LIMIT, Math.max(1, Number(limit) || DEFAULT_LIMIT));
  display("ready", ...reviewsView(product.data, reviews.data.slice(0, most), language));
  if (jsonLd !== undefined) addJsonLd(product.data);
}

/** Runs something once an element is near the part of the page that is seen. */
function whenNear(target: Element, run: () => void): void {
  const watcher = new IntersectionObserver(
    (entries) => {
      if (!entries[0]?.isIntersecting) return;
      watcher.disconnect();
      run();
    },
    { rootMargin: "300px" },
  );
  watcher.observe(target);
}

function start(script: HTMLScriptElement, slug: string): void {
  const { lang, lazy } = script.dataset;
  const language = chooseLanguage(lang);
  const host = place(script);
  const display = createDisplay(host, language);
  display("loading", ...Array.from({ length: 3 }, () => element("hr", {})));
  const run = () => {
    // A page must not break because its reviews can't be reached.
    load(script, slug, language, display).catch(() => display("failed", language.failed));
  };
  if (lazy === undefined) run();
  else whenNear(host, run);
}

const script = document.currentScript as HTMLScriptElement;
const slug = script.dataset["productSlug"]?.trim();
// Without one the API would answer with the reviews of the whole shop.
if (!slug) console.error("Vitrine: no data-product-slug", script);
else if (document.readyState !== "loading") start(script, slug);
else document.addEventListener("DOMContentLoaded", () => start(script, slug));
