/** Formats numbers, prices and dates in the reader's language. */
import { MAX_DIGITS } from "../api/money.ts";
import type { PageWords } from "./api.ts";

const lang = navigator.language;

/** Made at its first use: the first formatter of a page takes a browser some 30 ms, and the requests should be sent before that. */
function lazily<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

const integer = lazily(() => new Intl.NumberFormat(lang));
const day = lazily(() => new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeZone: "UTC" }));
const oneDigit = lazily(
  () => new Intl.NumberFormat(lang, { maximumFractionDigits: 1, minimumFractionDigits: 1 }),
);

export function countWords(count: number, one: string, many: string): string {
  return `${integer().format(count)} ${count === 1 ? one : many}`;
}

/** `Page 2 of 5, 97 products`; without pages, the number of records; "" if that is unknown. */
export function pageWords(pagination: PageWords | null, one: string, many: string): string {
  if (pagination === null) return "";
  const { page, total, total_pages: last } = pagination;
  const count = countWords(total, one, many);
  return last > 1 ? `Page ${page} of ${last}, ${count}` : count;
}

/** A kind of products by a name: `"wp_plugin"` → `Wp plugin` */
export function kindName(type: string): string {
  const words = type.replace(/[-_.]+/g, " ").trim() || type;
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

export function formatCount(count: number): string {
  return integer().format(count);
}

export function formatRating(average: number): string {
  return oneDigit().format(average);
}

export function formatDay(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : day().format(date);
}

export function formatPrice(amount: number, currency: string): string {
  // All digits that the amount has: the browser would round it to those that it knows of the currency.
  const format = { style: "currency", currency, maximumFractionDigits: MAX_DIGITS } as const;
  return amount === 0 ? "Free" : amount.toLocaleString(lang, format);
}

/** `20.2 kB`: decimal units. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function formatMilliseconds(milliseconds: number): string {
  return milliseconds < 100 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`;
}
