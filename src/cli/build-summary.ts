/** The lines of a build for the shop's owner to check: how many records, prices, what is empty. */
import { minorDigits } from "../api/currency-digits.ts";
import { MAX_DIGITS } from "../api/money.ts";
import { counted, formatBytes, formatCount } from "../base/log.ts";
import { shownText } from "../base/text.ts";
import type { ResourceName } from "../catalog/resources.ts";
import type { ExtractReport, PriceSummary } from "../extract/extract-report.ts";
import { type NotPublic, wrongLine } from "../pipeline/build-report.ts";
import { type FeedReport, missingFields } from "../site/write-report.ts";

/** Singular and plural. */
export const NAMES: Readonly<Record<ResourceName, readonly [string, string]>> = {
  product: ["product", "products"],
  category: ["category", "categories"],
  review: ["review", "reviews"],
  faq: ["FAQ", "FAQs"],
  release: ["release", "releases"],
  post: ["post", "posts"],
  thread: ["thread", "threads"],
};

/** `EUR 1,299.00`: more digits than the currency usually has, if the price has them. */
export function formatPrice(price: number, currency: string): string {
  const format = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    currencyDisplay: "code",
    minimumFractionDigits: minorDigits(currency),
    maximumFractionDigits: MAX_DIGITS,
  });
  return format.format(price).replace("\u00a0", " ");
}

function priceLine(prices: PriceSummary): string {
  const { currency, products, zero, zeroSales = 0, lowest, median, highest } = prices;
  // Many a shop writes 0 where no sale is.
  const free = `${formatCount(zeroSales)} ${zeroSales === 1 ? "is" : "are"} free by a sale price of 0`;
  const sales = zeroSales === 0 ? "" : `; ${free}: is NULL meant, no sale?`;
  const [low, middle, high] = [lowest, median, highest].map((price) => formatPrice(price, currency));
  if (zero === products) return `prices of ${counted(products, NAMES.product)}: all ${low}${sales}`;
  const others = zero === 0 ? "" : `, and ${formatCount(zero)} of ${formatPrice(0, currency)}`;
  const line = `prices of ${counted(products - zero, NAMES.product)}: lowest ${low}, median ${middle}, highest ${high}${others}${sales}`;
  // Prices in major units under the name price_minor come out as a hundredth of themselves.
  const hasDigits = minorDigits(currency) > 0;
  const isTiny = highest > 0 && highest < 1 && hasDigits;
  return isTiny ? `${line}; is price_minor in whole minor units, 1999 for 19.99?` : line;
}

/** `1 row`, `2,000 rows` */
const rowsCounted = (count: number) => counted(count, ["row"]);

const SHORTENED_SHOWN = 20;

/** `"left out of texts: 12 blocks restrict-content-pro/restrict (in 9 rows of products.sql), 1 shortcode s2If (in …)"` */
export function shortenedLines(shortened: ExtractReport["shortened"]): string[] {
  if (shortened.length === 0) return [];
  const names = shortened.slice(0, SHORTENED_SHOWN).map(({ what, count, rows }) => {
    const [kind = "", name = ""] = what.split(/ (.*)/s);
    const files = Object.entries(rows).map(([file, number]) => `${rowsCounted(number)} of ${file}`);
    return `${counted(count, [kind])} ${shownName(name)} (in ${files.join(", ")})`;
  });
  const more = shortened.length - names.length;
  const rest = more > 0 ? `, and ${formatCount(more)} more` : "";
  return [`left out of texts, since it is hidden, not for everybody, or a frame: ${names.join(", ")}${rest}`];
}

/** A name from a text, on one line. */
function shownName(name: string): string {
  return shownText(name).replace(/\s+/g, " ");
}

/** Rows and values that were left out because they are wrong, with the files, columns and ids to find them by. */
export function leftOutLines({
  leftOut,
  wrong,
  shortened,
}: Pick<ExtractReport, "leftOut" | "wrong" | "shortened">): string[] {
  return [
    ...Object.entries(leftOut).map(
      ([file, count]) => `${rowsCounted(count)} of ${file}.sql left out: their product is not public`,
    ),
    ...wrong.map(wrongLine),
    ...shortenedLines(shortened),
  ];
}

/**
 * Products that the shop shows and the SQL files leave out. If they are more than those that become public, `first` says so, to
 * be printed before anything else.
 */
export function notPublicLines(
  notPublic: NotPublic,
  publicCount: number,
): { readonly first: readonly string[]; readonly last: readonly string[] } {
  const reasons = Object.entries(notPublic);
  const count = reasons.reduce((sum, [, each]) => sum + each, 0);
  if (count === 0) return { first: [], last: [] };
  const isOne = count === 1;
  const line =
    `${counted(count, NAMES.product)} that the shop shows ${isOne ? "is" : "are"} left out: ` +
    `${reasons.map(([reason, each]) => `${formatCount(each)} ${reason}`).join(", ")}. ` +
    `vitrine doctor --left-out lists ${isOne ? "it" : "them"}`;
  if (count <= publicCount) return { first: [], last: [line] };
  const all = count + publicCount;
  return {
    first: [
      `only ${formatCount(publicCount)} of ${formatCount(all)} products that the shop shows become public`,
    ],
    last: [line],
  };
}

/** `"feed google: 120 products; 3 left out (2 lack image_link, 1 lacks price): vitrine check lists them"` */
function feedLine(report: FeedReport): string {
  const { name, records, leftOut } = report;
  const fields = missingFields(report).map(
    ([field, count]) => `${formatCount(count)} ${count === 1 ? "lacks" : "lack"} ${field}`,
  );
  const rest =
    leftOut === 0
      ? ""
      : `; ${formatCount(leftOut)} left out (${fields.join(", ")}): vitrine check lists them`;
  return `feed ${name}: ${counted(records, NAMES.product)}${rest}`;
}

/** A line for each feed with required fields, and for each feed file that was not made because it is larger than `mostBytes`. */
export function feedLines(feeds: readonly FeedReport[], mostBytes = Infinity): string[] {
  return feeds.flatMap((report) => {
    const tooLarge = Object.entries(report.files).filter(([, sizeBytes]) => sizeBytes > mostBytes);
    return [
      feedLine(report),
      ...tooLarge.map(
        ([key, sizeBytes]) => `${key} was not made: ${formatBytes(sizeBytes)} is more than grid.maxFileBytes`,
      ),
    ];
  });
}

/** `["240 products, 12 categories, …", "prices of 240 products: lowest EUR 9.00, …", "empty: threads", …]` */
export function summaryLines({ records, summary }: Pick<ExtractReport, "records" | "summary">): string[] {
  const names = Object.entries(NAMES) as [ResourceName, readonly [string, string]][];
  const count = (resource: ResourceName): number => records[resource] ?? 0;
  const empty = names.filter(([resource]) => count(resource) === 0).map(([, [, several]]) => several);
  const fields = count("product") === 0 ? [] : summary.emptyProductFields;
  const full = names.filter(([resource]) => count(resource) > 0);
  return [
    full.map(([resource, name]) => counted(count(resource), name)).join(", "),
    ...summary.prices.map(priceLine),
    empty.length > 0 ? `empty: ${empty.join(", ")}` : "",
    fields.length > 0 ? `empty in every product: ${fields.join(", ")}` : "",
  ].filter((line) => line !== "");
}
