/** What a shop owner can check a catalog by: prices, and what is empty. */
import type { ProductDetail } from "../api/records/product.ts";
import type { Values } from "../api/row.ts";

export interface PriceSummary {
  readonly currency: string;
  readonly products: number;
  /** What a customer pays now, in the currency's major unit; the median is one of the prices. */
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

function summarisePrices(currency: string, prices: readonly number[]): PriceSummary {
  const sorted = Float64Array.from(prices).sort();
  const at = (index: number): number => sorted[index] ?? 0;
  return {
    currency,
    products: sorted.length,
    lowest: at(0),
    median: at((sorted.length - 1) >> 1),
    highest: at(sorted.length - 1),
  };
}

/** Looks at each product once. */
export class Summariser {
  readonly #prices = new Map<string, number[]>();
  /** Fields of products; false as long as each was empty. */
  readonly #filled = new Map<string, boolean>();

  add(product: Values): void {
    const { current, currency } = (product as unknown as ProductDetail).pricing;
    const prices = this.#prices.get(currency) ?? [];
    prices.push(current);
    this.#prices.set(currency, prices);
    for (const [field, value] of Object.entries(product)) {
      if (typeof value !== "string" && !Array.isArray(value)) continue;
      if (this.#filled.get(field) !== true) this.#filled.set(field, value.length > 0);
    }
  }

  summary(): Summary {
    const byCurrency = [...this.#prices].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      prices: byCurrency.map(([currency, prices]) => summarisePrices(currency, prices)),
      emptyProductFields: [...this.#filled].filter(([, filled]) => !filled).map(([field]) => field),
    };
  }
}
