/** The language of a widget: its texts, and its formats of numbers, prices and dates. */
import { WIDGET_LANGUAGES } from "../api/endpoints.ts";
import type { Texts } from "./texts.ts";

export interface Language extends Omit<Texts, "average" | "count"> {
  /** Primary subtag, `en` or one of `WIDGET_LANGUAGES`. */
  readonly code: string;
  number(value: number, format?: Intl.NumberFormatOptions): string;
  /** `4.0`, with one decimal, so that 4.0 and 3.9 have one form. */
  decimal(value: number): string;
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

/** The language of a tag: `de` of `de-AT`; English if the widgets have no texts in that language. */
export function codeOf(tag: string): string {
  return WIDGET_LANGUAGES.find((code) => new RegExp(`^${code}(?![a-z])`, "i").test(tag)) ?? "en";
}

export function languageOf(tag: string, code: string, texts: Texts): Language {
  const locale = formatTag(tag, code);
  const plural = new Intl.PluralRules(code);
  const number = (value: number, format = {}) => value.toLocaleString(locale, format);
  const decimal = (value: number) => number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const fill = (text: string, words: string) => text.replace("{n}", words);
  return {
    ...texts,
    code,
    number,
    decimal,
    rating: (value) => fill(texts.average, number(value)),
    average: (value) => fill(texts.average, decimal(value)),
    count: (value) => fill(texts.count[plural.select(value)] ?? texts.count.other, number(value)),
    date: (time) =>
      new Date(`${time.replace(" ", "T")}Z`).toLocaleDateString(locale, {
        dateStyle: "medium",
        timeZone: "UTC",
      }),
  };
}
