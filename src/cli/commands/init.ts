/** `vitrine init` */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { API_PATH, type EndpointPath } from "../../api/endpoints.ts";
import { VitrineError } from "../../base/error.ts";
import { formatCount } from "../../base/log.ts";
import type { BuildReport } from "../../build/report.ts";
import { CONFIG_FILE, outLayout, resolveInputs } from "../../config/inputs.ts";
import { FEEDS, type FeedName } from "../../feeds/feed.ts";
import { canonicalKey } from "../../key/key.ts";
import type { ShownFile } from "../../setup/confirm.ts";
import type { InitPlan } from "../../setup/init.ts";
import { SHOP_NAMES } from "../../setup/shops.ts";
import { isServerAddress } from "../../store/address.ts";
import { notPublicLines, summaryLines } from "../build-summary.ts";
import { choice, commandOf, type Flags, flag, text, texts } from "../options.ts";
import { escapeForTerminal, printResult, terminalLog } from "../terminal.ts";

const FLAGS = {
  store: text("<place>", "the store: an SQLite file, postgres://USER@HOST/DATABASE or mysql://…"),
  shop: choice("<name>", "which shop it is, where it may be several", SHOP_NAMES),
  products: text("<table>", "of a shop that is not known: the table of its products"),
  title: text("<column>", "the products' name"),
  price: text("<column>", "the products' price; TABLE.COLUMN where it stands in another table"),
  categories: text("<table>", "the table of categories"),
  currency: text("<code>", "the currency of all prices, where the store does not say it"),
  siteUrl: text("<address>", "public address of the shop's site (default: what the store says)"),
  baseUrl: text("<address>", "public address of the API, ending in /api/v1"),
  feeds: texts("<names...>", `feeds to make besides the API: ${Object.keys(FEEDS).join(", ")}`),
  confirm: texts(
    "<files...>",
    "instead, show what proposed SQL files give, and confirm that it may be public",
  ),
  yes: flag("ask nothing"),
  json: flag("print the result as one JSON object"),
};
type InitFlags = Flags<typeof FLAGS>;

const SAMPLES = 3;

/** As SIGINT's: a prompt takes Ctrl-C as a key. */
const CANCELLED = 130;

/** What a file gives: private until it is confirmed, so these lines are the terminal's alone. */
function shownLines({ file, rows, tables, samples }: ShownFile): string[] {
  const counted = (count: number) => `${formatCount(count)} ${count === 1 ? "row" : "rows"}`;
  const from = tables.map((table) => `${table.name} (${counted(table.rows)})`).join(", ");
  return [
    `${file}: ${counted(rows)}, ${from === "" ? "of no table" : `of ${from}`}`,
    ...samples.map((sample) => `  ${JSON.stringify(sample)}`),
  ].map(escapeForTerminal);
}

/** What the store is taken for, and what would be written. */
function planLines({ shop, tables, files, shown, leftOut, notes, choices }: InitPlan): string[] {
  const products = shown.find(({ file }) => file === "products.sql");
  const { first, last } = notPublicLines(leftOut, products?.rows ?? 0);
  return [
    shop === null
      ? `${formatCount(tables)} tables of no shop that Vitrine knows: the SQL files are proposals, of names, types and values.`
      : `${formatCount(tables)} tables: this is ${shop}.`,
    `${formatCount(files.size)} files: ${[...files.keys()].join(", ")}`,
    ...[...first, ...notes, ...last].map(escapeForTerminal),
    ...(choices.length === 0
      ? []
      : [`to be chosen by you, which the count waits for: ${choices.join(", ")}`]),
    ...(shown.length === 0 ? [] : ["", "What they would make public:", ...shown.flatMap(shownLines)]),
  ];
}

async function askFeeds() {
  const { multiselect } = await import("@clack/prompts");
  const options = Object.entries(FEEDS).map(([value, hint]) => ({ value, label: value, hint }));
  const message = "Which feeds besides the API? Space chooses, Enter goes on; all may be turned on later.";
  return multiselect({ message, options, required: false });
}

/** @throws VitrineError usage */
function readFeeds(names: readonly string[]): FeedName[] {
  const wrong = names.find((name) => !Object.hasOwn(FEEDS, name));
  if (wrong === undefined) return names as FeedName[];
  const known = Object.keys(FEEDS).join(", ");
  throw new VitrineError("usage", `There is no feed ${wrong}. Known are ${known}.`);
}

/** Asks for what flags do not say. Null where the person wants no more of it. */
async function ask(flags: InitFlags): Promise<InitFlags | null> {
  const { cancel, intro, isCancel, text } = await import("@clack/prompts");
  intro("A catalog API for your shop");
  const store =
    flags.store ??
    (await text({
      message: "Where is the store?",
      placeholder: "shop.sqlite, postgres://reader@host/shop or mysql://reader@host/shop",
      validate: (value) =>
        value === undefined || value.trim() === "" ? "Name a file or an address." : undefined,
    }));
  const feeds = isCancel(store) ? store : (flags.feeds ?? (await askFeeds()));
  if (!isCancel(store) && !isCancel(feeds)) return { ...flags, store, feeds };
  cancel("Nothing was written.");
  process.exitCode = CANCELLED;
  return null;
}

async function isAgreed(plan: InitPlan): Promise<boolean> {
  const { cancel, confirm, isCancel, note } = await import("@clack/prompts");
  note(planLines(plan).join("\n"));
  const isGuess = plan.shop === null;
  const agreed = await confirm({
    message: isGuess ? "Write these proposals?" : "Write these files and build?",
  });
  if (agreed === true) return true;
  if (isCancel(agreed)) process.exitCode = CANCELLED;
  cancel(
    isCancel(agreed) ? "Nothing was written." : "Nothing was written. Flags are told by vitrine init --help.",
  );
  return false;
}

/** The first products of the list, for the owner to compare with the shop. */
function sampleLines(out: string): string[] {
  const endpoint: EndpointPath = "products";
  const file = join(outLayout(out).site, canonicalKey(`${API_PATH}/${endpoint}`, "") ?? "");
  const { data } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly data: readonly {
      readonly title: string;
      readonly price: number;
      readonly currency: string;
      readonly public_url: string;
    }[];
  };
  return data
    .slice(0, SAMPLES)
    .map(({ title, price, currency, public_url }) => `  ${title}, ${currency} ${price}, ${public_url}`);
}

async function firstBuild(quiet: boolean): Promise<BuildReport> {
  const log = terminalLog(quiet);
  const inputs = await resolveInputs({ configFile: CONFIG_FILE });
  const { buildSnapshot } = await import("../../build/build.ts");
  return buildSnapshot(inputs, log).finally(() => log.done());
}

async function resultLines(report: BuildReport): Promise<string[]> {
  const { productsLeftOut } = await import("../../build/left-out.ts");
  const notPublic = await productsLeftOut(await resolveInputs({ configFile: CONFIG_FILE }));
  const { first, last } = notPublicLines(notPublic, report.records.product ?? 0);
  return [
    ...first,
    ...summaryLines(report),
    ...last,
    ...(report.records.product === undefined ? [] : ["the newest products:", ...sampleLines(report.out)]),
    "",
    "Compare that with the shop, and read PRIVACY.md. Then:",
    "  vitrine serve    http://127.0.0.1:8080/api/v1/products, /api/v1/store",
    `  siteUrl and baseUrl in ${CONFIG_FILE} are what answers link to: set them before you publish`,
  ];
}

/** Of proposals: what a person does with them. */
function nextLines({ shown }: InitPlan): string[] {
  return [
    "",
    "Nothing was built, and nothing can be before somebody has looked: each file says in its first line that it is not confirmed.",
    "Read the files in queries/ and PRIVACY.md: write your currency and addresses, choose conditions where a line says so. Then:",
    `  vitrine init --confirm ${shown.map(({ file }) => file).join(" ")}`,
    "  vitrine build",
  ];
}

async function start(flags: InitFlags, store: string, isAsked: boolean): Promise<void> {
  const { planInit, writeInit } = await import("../../setup/init.ts");
  const folder = process.cwd();
  const { shop, siteUrl, baseUrl, feeds: named = [], ...wanted } = flags;
  const feeds = readFeeds(named);
  const json = flags.json === true;
  const place = isServerAddress(store) ? store : resolve(store);
  const plan = await planInit({ store: place, folder, shop, siteUrl, baseUrl, feeds, wanted });
  if (isAsked && !(await isAgreed(plan))) return;
  writeInit(folder, plan);
  const lines = isAsked ? [] : planLines(plan);
  const files = [...plan.files.keys()];
  if (plan.shop === null) {
    const toConfirm = plan.shown.map(({ file }) => file);
    return printResult(json, { shop: null, files, toConfirm }, [...lines, ...nextLines(plan)]);
  }
  const report = await firstBuild(json);
  printResult(json, { shop: plan.shop, files, report }, [...lines, ...(await resultLines(report))]);
}

/** `init --confirm`: shows again what files give. On a terminal each is asked for; elsewhere naming it is the answer. */
async function confirmFiles(given: readonly string[], flags: InitFlags, isTerminal: boolean) {
  const { confirmFile, showFiles, toConfirm } = await import("../../setup/confirm.ts");
  const { store, queries } = await resolveInputs({ configFile: CONFIG_FILE });
  const names = toConfirm(queries, given);
  const shown = await showFiles(store, queries, names);
  const json = flags.json === true;
  const isAsked = isTerminal && flags.yes !== true && !json;
  const taken: string[] = [];
  for (const each of shown) {
    if (!json) printResult(false, {}, shownLines(each));
    if (isAsked && !(await isPublic(each.file))) continue;
    confirmFile(queries, each.file);
    taken.push(each.file);
  }
  const left = names.filter((name) => !taken.includes(name));
  printResult(json, { confirmed: taken }, [
    taken.length === 0 ? "Nothing was confirmed." : `Confirmed: ${taken.join(", ")}`,
    ...(left.length === 0 ? [] : [`Not confirmed: ${left.join(", ")}`]),
  ]);
}

async function isPublic(file: string): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  const message = `May everybody see all that ${file} gives?`;
  return (await confirm({ message, initialValue: false })) === true;
}

async function init(given: InitFlags): Promise<void> {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  if (given.confirm !== undefined) {
    if (given.store !== undefined)
      throw new VitrineError(
        "usage",
        `--confirm is for files that stand: the store is that of ${CONFIG_FILE}.`,
      );
    return confirmFiles(given.confirm, given, isTerminal);
  }
  const isAsked = isTerminal && given.yes !== true && given.json !== true;
  const flags = isAsked ? await ask(given) : given;
  if (flags === null) return;
  const { store } = flags;
  if (store === undefined)
    throw new VitrineError("usage", "Which store? Name its file or its address with --store.");
  if (!isAsked && given.yes !== true)
    throw new VitrineError(
      "usage",
      "There is no terminal to ask on: say --yes, and files are written, and a first build is made of a shop that is known.",
    );
  return start(flags, store, isAsked);
}

export const addInit = commandOf(
  {
    name: "init",
    does: "look at a store, write a configuration and an allow-list for it, and build what is no guess",
    flags: FLAGS,
    examples: [
      "vitrine init --store shop.sqlite",
      "vitrine init --store mysql://reader@127.0.0.1/shop --site-url https://shop.example --yes",
      "vitrine init --confirm store.sql categories.sql products.sql",
    ],
  },
  init,
);
