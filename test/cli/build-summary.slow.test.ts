import { describe, expect, it } from "vitest";
import { feedLines, summaryLines } from "../../src/cli/build-summary.ts";
import { SummaryCounts, summaryTermsOf } from "../../src/extract/extract-report.ts";
import { buildQuietly, CHINOOK, temporaryFolder } from "../support/shop.ts";

const REPORT = { records: { product: 3, category: 1 } };
const PRICES = { currency: "EUR", products: 3, zero: 0, lowest: 0.18, median: 9, highest: 1200.5 };

describe("the summary of a build", () => {
  it("counts all records, and names the range of prices and the empty fields", () => {
    const summary = { prices: [PRICES], emptyProductFields: ["image", "gallery"] };
    expect(summaryLines({ ...REPORT, summary })).toEqual([
      "3 products, 1 category",
      "prices of 3 products: lowest EUR 0.18, median EUR 9.00, highest EUR 1,200.50",
      "empty: reviews, FAQs, releases, posts, threads",
      "empty in every product: image, gallery",
    ]);
  });

  it("writes a price with all its digits", () => {
    const prices = [
      { ...PRICES, lowest: 1.4, median: 1.419, highest: 2 },
      { ...PRICES, currency: "HUF", lowest: 19.5, median: 1990, highest: 1990 },
    ];
    expect(summaryLines({ ...REPORT, summary: { prices, emptyProductFields: [] } }).slice(1, 3)).toEqual([
      "prices of 3 products: lowest EUR 1.40, median EUR 1.419, highest EUR 2.00",
      "prices of 3 products: lowest HUF 19.5, median HUF 1,990, highest HUF 1,990",
    ]);
  });

  it("counts what each feed leaves out, the most frequent reason first", () => {
    const missing = { price: 1, image_link: 2 };
    expect(feedLines([{ name: "google", records: 120, leftOut: 3, missing, files: {} }])).toEqual([
      "feed google: 120 products; 3 left out (2 lack image_link, 1 lacks price): vitrine check lists them",
    ]);
  });

  it("names products of the price 0 apart from the lowest price", () => {
    const prices = [
      { ...PRICES, products: 56, zero: 2, lowest: 9 },
      { ...PRICES, zero: 3, lowest: 0, median: 0, highest: 0 },
    ];
    const lines = summaryLines({ ...REPORT, summary: { prices, emptyProductFields: [] } });
    expect(lines.slice(1, 3)).toEqual([
      "prices of 54 products: lowest EUR 9.00, median EUR 9.00, highest EUR 1,200.50, and 2 of EUR 0.00",
      "prices of 3 products: all EUR 0.00",
    ]);
  });

  it("counts products of the price 0, and leaves them out of the range", () => {
    const counts = new SummaryCounts();
    for (const [price, times] of [
      ["0", 4],
      ["19.99", 1],
      ["5", 2],
    ] as const)
      counts.count([`price EUR ${price}`], times);
    counts.count(["price JPY 0"], 2);
    expect(counts.summary(9).prices).toEqual([
      { currency: "EUR", products: 7, zero: 4, lowest: 5, median: 5, highest: 19.99 },
      { currency: "JPY", products: 2, zero: 2, lowest: 0, median: 0, highest: 0 },
    ]);
  });

  it("asks about sale prices of 0: some shops write them where no sale is", () => {
    const counts = new SummaryCounts();
    const pricing = { regular: 19, sale: 0, current: 0, currency: "EUR" };
    counts.count(summaryTermsOf({ pricing }), 2);
    counts.count(summaryTermsOf({ pricing: { ...pricing, sale: null, current: 19 } }), 3);
    counts.count(summaryTermsOf({ pricing: { ...pricing, regular: 0, sale: null } }), 1);
    const summary = counts.summary(6);
    expect(summaryLines({ ...REPORT, summary })[1]).toBe(
      "prices of 3 products: lowest EUR 19.00, median EUR 19.00, highest EUR 19.00, and 3 of EUR 0.00; " +
        "2 are free by a sale price of 0: is NULL meant, no sale?",
    );
    const free = new SummaryCounts();
    free.count(summaryTermsOf({ pricing }), 1);
    expect(summaryLines({ ...REPORT, summary: free.summary(1) })[1]).toBe(
      "prices of 1 product: all EUR 0.00; 1 is free by a sale price of 0: is NULL meant, no sale?",
    );
  });

  it("asks about the unit if every price is below one", () => {
    const prices = [
      { ...PRICES, median: 0.25, highest: 0.99 },
      { ...PRICES, currency: "JPY", zero: 3, lowest: 0, median: 0, highest: 0 },
    ];
    const lines = summaryLines({ ...REPORT, summary: { prices, emptyProductFields: [] } });
    expect(lines[1]).toMatch(/highest EUR 0\.99; is price_minor in whole minor units, 1999 for 19\.99\?$/);
    expect(lines[2]).toMatch(/all JPY 0$/);
  });

  it("says nothing about products in a shop without any", () => {
    const lines = summaryLines({
      records: {},
      summary: { prices: [], emptyProductFields: [] },
    });
    expect(lines).toEqual(["empty: products, categories, reviews, FAQs, releases, posts, threads"]);
  });

  it("is counted from the catalog", async () => {
    const config = { ...CHINOOK.config, grid: { depth: 0, maxFiles: 250_000 } };
    const { summary } = await buildQuietly({ ...CHINOOK, config, out: temporaryFolder() });
    expect(summary).toEqual({
      prices: [{ currency: "USD", products: 3850, zero: 0, lowest: 0.99, median: 0.99, highest: 56.43 }],
      emptyProductFields: ["image", "demo_url", "docs_url", "gallery", "faqs"],
    });
  });
});
