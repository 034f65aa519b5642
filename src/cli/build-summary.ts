/** What a build says of the shop, for its owner to check: how much of everything, prices, what is empty. */
import type { PublicConfig } from "../api/config.ts";
import { counted, formatBytes, formatCount } from "../base/log.ts";
import type { LeftOut } from "../build/left-out.ts";
import type { ResourceName } from "../catalog/resources.ts";
import type { ExtractReport, PriceSummary } from "../extract/report.ts";
import { type FeedReport, missingFields } from "../feeds/report.ts";
import { limitsLine } from "../hosts/guide.ts";
import { hostLimits, hostNamed } from "../hosts/hosts.ts";

/** One of them, and several. */
export const NAMES: Readonly<Record<ResourceName, readonly [string, string]>> = {
  product: ["product", "products"],
  category: ["category", "categories"],
  review: ["review", "reviews"],
  faq: ["FAQ", "FAQs"],
  release: ["release", "releases"],
  post: ["post", "posts"],
  thread: ["thread", "threads"],
};

function priceLine({ currency, products, lowest, median, highest }: PriceSummary): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "code" });
  const [low, middle, high] = [lowest, median, highest].map((price) =>
    format.format(price).replace("\u00a0", " "),
  );
  const line = `prices of ${counted(products, NAMES.product)}: lowest ${low}, median ${middle}, highest ${high}`;
  // A column of major units reads as a hundredth of what it means.
  const isTiny = highest > 0 && highest < 1 && format.resolvedOptions().maximumFractionDigits !== 0;
  return isTiny ? `${line}; is price_minor in whole minor units, 1999 for 19.99?` : line;
}

/** `1 row`, `2,000 rows` */
const rowsCounted = (count: number) => counted(count, ["row"]);

/** What is wrong in the store's rows and was left out for it: the files, columns and ids by which the shop finds it. */
export function leftOutLines({ leftOut, wrong }: Pick<ExtractReport, "leftOut" | "wrong">): string[] {
  return [
    ...Object.entries(leftOut).map(
      ([file, count]) => `${rowsCounted(count)} of ${file}.sql left out: their product is not public`,
    ),
    ...wrong.map(({ file, column, problem, outcome, rows, ids }) => {
      const which = ids.length === 0 ? "" : ` (id ${ids.join(", ")}${rows > ids.length ? ", …" : ""})`;
      const what = `${rowsCounted(rows)} of ${file}${which}`;
      return outcome === "emptied"
        ? `${column} is left empty in ${what}: it ${problem}`
        : `${what} left out: ${column} ${problem}`;
    }),
  ];
}

/**
 * What the shop shows and these files leave out. Where that is more than what becomes public, it is said loudly: `first` is to
 * stand before anything else. Null: nothing was read.
 */
export function notPublicLines(
  leftOut: LeftOut | null,
  publicCount: number,
): { readonly first: readonly string[]; readonly last: readonly string[] } {
  if (leftOut === null) return { first: [], last: [] };
  const { table, count } = leftOut;
  const reasons = leftOut.reasons.map(([reason, count]) => `${formatCount(count)} ${reason}`);
  const all = count + publicCount;
  if (table !== null) {
    const line = `${rowsCounted(all)} of ${table}: ${[...reasons, ""].join(", ").replace(/, $/, "; ")}${formatCount(publicCount)} public`;
    const advice = count === 0 ? "" : ". vitrine doctor --left-out lists what is left out";
    if (count <= publicCount) return { first: [], last: [`${line}${advice}`] };
    return {
      first: [`only ${formatCount(publicCount)} of ${rowsCounted(all)} of ${table} become public`],
      last: [`${line}${advice}`],
    };
  }
  if (count === 0) return { first: [], last: [] };
  const isOne = count === 1;
  const line =
    `${counted(count, NAMES.product)} that the shop shows ${isOne ? "is" : "are"} left out: ` +
    `${reasons.join(", ")}. vitrine doctor --left-out lists ${isOne ? "it" : "them"}`;
  if (count <= publicCount) return { first: [], last: [line] };
  return {
    first: [
      `only ${formatCount(publicCount)} of ${formatCount(all)} products that the shop shows become public`,
    ],
    last: [line],
  };
}

/** `"feed google: 120 products; 3 left out, which lack image_link in 2, price in 1"` */
function feedLine(name: string, reports: readonly FeedReport[]): string {
  const lists = reports.map(({ records, resource }) => counted(records, NAMES[resource])).join(", ");
  const rest = reports.flatMap((report) => {
    const fields = missingFields(report).map(([field, count]) => `${field} in ${formatCount(count)}`);
    return report.leftOut === 0
      ? []
      : [`; ${formatCount(report.leftOut)} left out, which lack ${fields.join(", ")}`];
  });
  return `feed ${name}: ${lists}${rest.join("")}`;
}

/** A line for each large feed, and for each of their files that the host does not take. */
export function feedLines(feeds: readonly FeedReport[], host?: PublicConfig["for"]): string[] {
  const most = (host === undefined ? null : hostLimits(host).fileBytes) ?? Infinity;
  return [...new Set(feeds.map(({ name }) => name))].flatMap((name) => {
    const reports = feeds.filter((report) => report.name === name);
    const tooLarge = reports.flatMap(({ files }) =>
      Object.entries(files).filter(([, sizeBytes]) => sizeBytes > most),
    );
    return [
      feedLine(name, reports),
      ...tooLarge.map(
        ([key, sizeBytes]) =>
          `${key} is left out: its ${formatBytes(sizeBytes)} are more than a file may have there; vitrine feed write ${name} makes it elsewhere`,
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

/** Of the host that a snapshot is for: its limits, its files, what it cannot do; nothing where the snapshot is for no host. */
export function hostLines({ for: name }: PublicConfig): string[] {
  if (name === undefined) return [];
  const host = hostNamed(name);
  return [
    `for ${host.title}, ${limitsLine(host)}: ${host.files.join(", ")} in site/`,
    ...host.cannot.map((sentence) => `  ${sentence}`),
  ];
}

/** Of a snapshot that was made: where the steps stand, and whether it is too large after all. */
export function madeForHost(config: PublicConfig, sizeBytes: number, guide: string): string[] {
  const { for: name } = config;
  if (name === undefined) return [];
  const most = hostLimits(name).siteBytes ?? Infinity;
  const { title } = hostNamed(name);
  return [
    ...hostLines(config),
    `  How it goes live: ${guide}`,
    ...(sizeBytes <= most
      ? []
      : [`  These files are ${formatBytes(sizeBytes)}, more than ${title} takes: set grid.maxBytes lower`]),
  ];
}
