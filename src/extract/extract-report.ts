/** An extraction's report, with a summary by which a shop owner can check the catalog: prices, and empty fields. */
import { type ProductDetail, product } from "../api/records/product.ts";
import type { RecordName } from "../api/records.ts";
import type { Values } from "../api/row.ts";
import type { MetaTime } from "../base/time.ts";
import type { ShortenedTexts, WrongValue } from "./problems.ts";

export interface ExtractReport {
  /** Records made, by resource. */
  readonly records: Readonly<Partial<Record<RecordName, number>>>;
  /** Rows of products that are not public, by allow-list file. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Wrong values: they are empty, or their rows are left out. In order of file and column. */
  readonly wrong: readonly WrongValue[];
  /** What was left out of public texts, the most frequent first. */
  readonly shortened: readonly ShortenedTexts[];
  /** The next moment at which an answer changes although the store does not. Not public yet, so the catalog does not have it. */
  readonly nextChangeAt: MetaTime | null;
  /** Prices, and fields that are empty in every product. */
  readonly summary: Summary;
}

export interface PriceSummary {
  readonly currency: string;
  readonly products: number;
  /** Products with the price 0: free ones, and those that are announced without a price. The following leave them out, unless all are. */
  readonly zero: number;
  /** How many of these are free only because their sale price is 0; missing if none is. */
  readonly zeroSales?: number;
  /** The current price, in the currency's major unit; the median is one of the prices. */
  readonly lowest: number;
  readonly median: number;
  readonly highest: number;
}

export interface Summary {
  /** One for each currency, by its code. */
  readonly prices: readonly PriceSummary[];
  /** Text and list fields that are empty in every product. */
  readonly emptyProductFields: readonly string[];
}

/** One product's terms to count: `["price EUR 19.99", "empty demo_url"]` */
export type SummaryTerms = readonly string[];

export function summaryTermsOf(product: Values): SummaryTerms {
  const { regular, sale, current, currency } = (product as unknown as ProductDetail).pricing;
  const terms = [`price ${currency} ${current}`];
  if (sale === 0 && current === 0 && regular > 0) terms.push(zeroSaleOf(currency));
  for (const [field, value] of Object.entries(product)) {
    if ((typeof value === "string" || Array.isArray(value)) && value.length === 0)
      terms.push(`empty ${field}`);
  }
  return terms;
}

function zeroSaleOf(currency: string): string {
  return `sale ${currency} 0`;
}

/** Counts products by term. */
export class SummaryCounts {
  readonly #counts = new Map<string, number>();

  /** `times`: how many products have these terms. */
  count(terms: SummaryTerms, times: number): void {
    for (const word of terms) this.#counts.set(word, (this.#counts.get(word) ?? 0) + times);
  }

  /** `products`: the number of all products. */
  summary(products: number): Summary {
    const prices = new Map<string, [price: number, count: number][]>();
    const empty = Object.keys({ ...product.fields, ...product.added }).filter(
      (field) => products > 0 && this.#counts.get(`empty ${field}`) === products,
    );
    for (const [word, count] of this.#counts) {
      const [what, name = "", price] = word.split(" ");
      if (what !== "price") continue;
      const known = prices.get(name) ?? [];
      known.push([Number(price), count]);
      prices.set(name, known);
    }
    const byCurrency = [...prices].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      prices: byCurrency.map(([currency, all]) => {
        const zeroSales = this.#counts.get(zeroSaleOf(currency)) ?? 0;
        return { ...summarisePrices(currency, all), ...(zeroSales > 0 ? { zeroSales } : {}) };
      }),
      emptyProductFields: empty,
    };
  }
}

function summarisePrices(currency: string, prices: readonly (readonly [number, number])[]): PriceSummary {
  const all = prices.toSorted(([a], [b]) => a - b);
  const paid = all.filter(([price]) => price > 0);
  const sorted = paid.length > 0 ? paid : all;
  const counted = (counts: typeof prices) => counts.reduce((sum, [, count]) => sum + count, 0);
  const half = (counted(sorted) - 1) >> 1;
  let before = 0;
  const median = sorted.find(([, count]) => {
    before += count;
    return before > half;
  });
  return {
    currency,
    products: counted(all),
    zero: counted(all) - counted(paid),
    lowest: sorted[0]?.[0] ?? Number.NaN,
    median: median?.[0] ?? Number.NaN,
    highest: sorted.at(-1)?.[0] ?? Number.NaN,
  };
}
