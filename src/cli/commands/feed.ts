/** `vitrine feed` */
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { Argument, type Command } from "commander";
import { VitrineError } from "../../base/error.ts";
import { formatCount } from "../../base/log.ts";
import { openFile } from "../../base/part-file.ts";
import { shownText } from "../../base/text.ts";
import { explainWriteFailure } from "../../base/write-failure.ts";
import { LARGE_FEEDS, type LargeFeedName, PRODUCT_FEEDS, type ProductFeedName } from "../../feeds/feed.ts";
import { feedLines } from "../build-summary.ts";
import { JSON_FLAG, OUT_FLAGS, type OutFlags, openOutCatalog } from "../inputs.ts";
import { addExamples, byDefault, commandOf, type Flags, text } from "../options.ts";
import { printResult, printSummary } from "../terminal.ts";

const EXAMPLES = [
  "vitrine feed check google",
  "vitrine feed write acp --to feeds",
  "vitrine feed write bulk --to tables",
  "vitrine feed tag 12 > product-12.html",
];
const NAME = new Argument("<feed>", "google, acp or openai").choices(PRODUCT_FEEDS);
const LARGE_NAME = new Argument(
  "<feed>",
  "google, acp, openai or bulk: each list as Parquet and CSV",
).choices(LARGE_FEEDS);
const WRITE_FLAGS = {
  ...{ ...OUT_FLAGS, to: byDefault(text("<folder>", "where its files are written"), ".") },
  ...JSON_FLAG,
};
const CHECK_FLAGS = { ...OUT_FLAGS, ...JSON_FLAG };

/** @throws VitrineError check_failed where a product lacks something */
async function check({ json, ...place }: Flags<typeof CHECK_FLAGS>, name: ProductFeedName): Promise<void> {
  const { lackingProducts } = await import("../../feeds/product-feeds.ts");
  using catalog = await openOutCatalog(place);
  const lacking = [...lackingProducts(catalog, name)];
  const lines = lacking.map(({ id, title, missing }) => `${id} ${shownText(title)}: ${missing.join(", ")}`);
  printResult(json === true, { feed: name, products: lacking }, lines);
  if (lacking.length === 0) return;
  const who = lacking.length === 1 ? "1 product lacks" : `${formatCount(lacking.length)} products lack`;
  throw new VitrineError(
    "check_failed",
    `${who} what ${name} requires and ${lacking.length === 1 ? "is" : "are"} left out of the feed.`,
  );
}

async function write({ json, to, ...place }: Flags<typeof WRITE_FLAGS>, name: LargeFeedName): Promise<void> {
  const { putFeed } = await import("../../feeds/feeds.ts");
  using catalog = await openOutCatalog(place);
  const files: string[] = [];
  const open = (key: string) => {
    const file = join(to, basename(key));
    files.push(file);
    return openFile(file);
  };
  try {
    mkdirSync(to, { recursive: true });
    const reports = putFeed(catalog, name, { open });
    printSummary(json === true, { files, feeds: reports }, [...files, ...feedLines(reports)]);
  } catch (error) {
    throw explainWriteFailure(error, to);
  }
}

/** @throws VitrineError usage where there is no such product */
async function tag(place: OutFlags, id: string): Promise<void> {
  const [{ productTag }, { readProduct }] = await Promise.all([
    import("../../feeds/json-ld.ts"),
    import("../../feeds/products.ts"),
  ]);
  using catalog = await openOutCatalog(place);
  const product = /^\d{1,15}$/.test(id) ? readProduct(catalog, Number(id)) : null;
  if (product === null)
    throw new VitrineError("usage", `There is no product with the id ${id} in the catalog.`);
  process.stdout.write(`${productTag(product, catalog.store.store_name)}\n`);
}

const COMMANDS = [
  commandOf(
    {
      name: "check",
      does: "list the products that lack what a feed requires, with the fields",
      ...{ takes: [NAME], flags: CHECK_FLAGS },
    },
    (flags, name) => check(flags, name as ProductFeedName),
  ),
  commandOf(
    {
      name: "write",
      does: "write a feed's files now, of the catalog",
      takes: [LARGE_NAME],
      flags: WRITE_FLAGS,
    },
    (flags, name) => write(flags, name as LargeFeedName),
  ),
  commandOf(
    {
      name: "tag",
      does: "print a product's schema.org data as a tag for its page",
      ...{ takes: [new Argument("<id>", "the product's id")], flags: OUT_FLAGS },
    },
    (flags, id = "") => tag(flags, id),
  ),
];

export function addFeed(program: Command): void {
  const feed = program
    .command("feed")
    .description("check and write the feeds of the catalog (docs/feeds.md)");
  for (const add of COMMANDS) add(feed);
  addExamples(feed, EXAMPLES);
}
