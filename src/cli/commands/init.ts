/** `vitrine init` */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { API_PATH, type EndpointPath } from "../../api/endpoints.ts";
import { VitrineError } from "../../base/error.ts";
import { formatCount } from "../../base/log.ts";
import { CONFIG_FILE, outLayout, resolveInputs } from "../../config/inputs.ts";
import { canonicalKey } from "../../key/key.ts";
import type { BuildReport } from "../../pipeline/report.ts";
import type { InitPlan } from "../../setup/init.ts";
import { SHOP_NAMES } from "../../setup/shops.ts";
import { FEEDS } from "../../site/feeds/feed.ts";
import type { FeedName } from "../../site/feeds/report.ts";
import { isServerAddress } from "../../store/address.ts";
import { leftOutLines, notPublicLines, shortenedLines, summaryLines } from "../build-summary.ts";
import { FORCE_FLAG } from "../inputs.ts";
import { choice, commandOf, type Flags, flag, text, texts } from "../options.ts";
import { escapeForTerminal, printResult, terminalLog } from "../terminal.ts";

const FLAGS = {
  store: text("<place>", "the store: an SQLite file, postgres://USER@HOST/DATABASE or mysql://…"),
  shop: choice("<name>", "which shop it is, where it may be several", SHOP_NAMES),
  channel: text("<code>", "whose products become public, of a shop that has channels (Vendure)"),
  siteUrl: text("<address>", "public address of the shop's site (default: what the store says)"),
  baseUrl: text("<address>", "public address of the API, ending in /api/v1"),
  feeds: texts("<names...>", `feeds to make besides the API: ${Object.keys(FEEDS).join(", ")}`),
  yes: flag("ask nothing"),
  ...FORCE_FLAG,
  json: flag("print the result as one JSON object"),
};
type InitFlags = Flags<typeof FLAGS>;

const SAMPLES = 3;

/** As SIGINT's: a prompt takes Ctrl-C as a key. */
const CANCELLED = 130;

/** What the store is taken for, and what would be written. */
function planLines({ shop, tables, files, notes }: InitPlan): string[] {
  return [
    shop === null
      ? `${formatCount(tables)} tables of no shop that Vitrine knows: you write the queries.`
      : `${formatCount(tables)} tables: this is ${shop}.`,
    `${formatCount(files.size)} files: ${[...files.keys()].join(", ")}`,
    ...notes,
  ].map(escapeForTerminal);
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

/** Null where the person wants no more of it. */
async function askChannel(channels: readonly string[]): Promise<string | null> {
  const { cancel, isCancel, select } = await import("@clack/prompts");
  const options = channels.map((value) => ({ value, label: escapeForTerminal(value) }));
  const channel = await select({
    message: "Which channel becomes public? The default one has the products of all channels.",
    options,
  });
  if (!isCancel(channel)) return channel;
  cancel("Nothing was written.");
  process.exitCode = CANCELLED;
  return null;
}

async function isAgreed(plan: InitPlan): Promise<boolean> {
  const { cancel, confirm, isCancel, note } = await import("@clack/prompts");
  note(planLines(plan).join("\n"));
  const agreed = await confirm({
    message: plan.shop === null ? "Write these files?" : "Write these files and build?",
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

async function firstBuild(quiet: boolean, force = false): Promise<BuildReport> {
  const log = terminalLog(quiet);
  const inputs = await resolveInputs({ configFile: CONFIG_FILE, force });
  const { buildSnapshot } = await import("../../pipeline/build.ts");
  return buildSnapshot(inputs, log).finally(() => log.done());
}

async function resultLines(report: BuildReport): Promise<string[]> {
  const { productsLeftOut } = await import("../../pipeline/left-out.ts");
  const notPublic = await productsLeftOut(await resolveInputs({ configFile: CONFIG_FILE }));
  const { first, last } = notPublicLines(notPublic, report.records.product ?? 0);
  return [
    ...first,
    ...summaryLines(report),
    ...leftOutLines(report),
    ...shortenedLines(report.shortened),
    ...last,
    ...(report.records.product === undefined ? [] : ["the newest products:", ...sampleLines(report.out)]),
    "",
    "Compare that with the shop, and read PRIVACY.md. Then:",
    "  vitrine serve    http://127.0.0.1:8080/api/v1/products, /api/v1/store",
    `  siteUrl and baseUrl in ${CONFIG_FILE} are what answers link to: set them before you publish`,
  ];
}

/** What a person does with the files of an unknown store. */
const NEXT_LINES = [
  "",
  "Nothing was built. Next, as docs/own-store.md shows:",
  "  1. read SCHEMA.md, and write the queries of store.sql, categories.sql and products.sql in queries/",
  "  2. vitrine build && vitrine check, then look at it: vitrine serve",
  "  3. vitrine doctor says which files still lack their query",
];

async function start(flags: InitFlags, store: string, isAsked: boolean): Promise<void> {
  const { planInit, writeInit } = await import("../../setup/init.ts");
  const folder = process.cwd();
  const { shop, channel, siteUrl, baseUrl, feeds: named = [] } = flags;
  const feeds = readFeeds(named);
  const json = flags.json === true;
  const place = isServerAddress(store) ? store : resolve(store);
  const options = { store: place, folder, shop, channel, siteUrl, baseUrl, feeds };
  let plan = await planInit(options);
  if (isAsked && channel === undefined && plan.channels.length > 1) {
    const asked = await askChannel(plan.channels);
    if (asked === null) return;
    plan = await planInit({ ...options, channel: asked });
  }
  if (isAsked && !(await isAgreed(plan))) return;
  writeInit(folder, plan);
  const lines = isAsked ? [] : planLines(plan);
  const files = [...plan.files.keys()];
  if (plan.shop === null) return printResult(json, { shop: null, files }, [...lines, ...NEXT_LINES]);
  const report = await firstBuild(json, flags.force);
  printResult(json, { shop: plan.shop, files, report }, [...lines, ...(await resultLines(report))]);
}

async function init(given: InitFlags): Promise<void> {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
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
    does: "look at a store, write a configuration and SQL files for it, and build a shop that is known",
    flags: FLAGS,
    examples: [
      "vitrine init --store shop.sqlite",
      "vitrine init --store mysql://reader@127.0.0.1/shop --site-url https://shop.example --yes",
    ],
  },
  init,
);
