/** The language of a widget, and its formats of numbers, prices and dates. */
import { RATING_TEXTS } from "./texts.ts";

export interface Language {
  /** Primary subtag, a key of the tables of texts. */
  readonly code: string;
  /** `Try again` */
  readonly again: string;
  number(value: number): string;
  /** `4.0`, with one decimal, so that 4.0 and 3.9 have one form. */
  decimal(value: number): string;
  /** `€29.00` of 29 and `EUR` */
  price(amount: number, currency: string): string;
  /** The rating of one review: `4 out of 5`. */
  rating(value: number): string;
  /** The average of all: `4.0 out of 5`. */
  average(value: number): string;
  /** `33 reviews` */
  count(value: number): string;
  /** `20 Nov 2026`, of a record's time, `2026-11-20 19:00:00` */
  date(time: string): string;
}

/**
 * The language tag for numbers and dates: the requested one if it names a region, else the visitor's tag of the same language.
 * An invalid tag (`de_DE` in a page's `lang`) never reaches Intl, which would throw.
 */
function formatTag(asked: string, code: string): string {
  const ofRegion = new RegExp(`^${code}-[a-z]{2}$`, "i");
  return [asked, ...navigator.languages].find((tag) => ofRegion.test(tag)) ?? code;
}

/** The widget's language, else the page's, else the visitor's; English if the widgets have no texts in that language. */
export function chooseLanguage(asked: string): Language {
  const tag = asked || document.documentElement.lang || navigator.language;
  const wanted = tag.slice(0, 2).toLowerCase();
  const known = /^[a-z]{2}([-_]|$)/i.test(tag) ? RATING_TEXTS[wanted] : undefined;
  const code = known === undefined ? "en" : wanted;
  const [average, counts, again] = known ?? (RATING_TEXTS["en"] as NonNullable<typeof known>);
  const locale = formatTag(tag, code);
  const number = new Intl.NumberFormat(locale);
  const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const plural = new Intl.PluralRules(code);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const fill = (text: string, value: number, format = number) => text.replace("{n}", format.format(value));
  return {
    code,
    again,
    number: (value) => number.format(value),
    decimal: (value) => decimal.format(value),
    price: (amount, currency) => amount.toLocaleString(locale, { style: "currency", currency }),
    rating: (value) => fill(average, value),
    average: (value) => fill(average, value, decimal),
    count: (value) => fill(counts[plural.select(value)] ?? counts.other, value),
    date: (time) => day.format(new Date(`${time.replace(" ", "T")}Z`)),
  };
}
