/** `vitrine init` */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";
import type { BuildReport } from "../build-report.ts";
import { CONFIG_FILE, resolveInputs } from "../config/inputs.ts";
import { isServerAddress } from "../extract/stores/address.ts";
import type { InitPlan } from "../init.ts";
import { summaryLines } from "./build-summary.ts";
import { printResult, terminalLog } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine init --store shop.sqlite
  vitrine init --store mysql://reader@127.0.0.1/shop --site-url https://shop.example --yes`;

const SAMPLES = 3;

/** As SIGINT's: a prompt takes Ctrl-C as a key. */
const CANCELLED = 130;

interface InitFlags {
  readonly store?: string;
  readonly shop?: string;
  readonly siteUrl?: string;
  readonly baseUrl?: string;
  readonly yes?: true;
  readonly json?: true;
}

/** What the store is taken for, and what would be written. */
function planLines({ shop, tables, files }: InitPlan): string[] {
  return [
    shop === null
      ? `${formatCount(tables)} tables of no shop that Vitrine knows: the SQL files are guesses from names and types. Read them before you publish.`
      : `${formatCount(tables)} tables: this is ${shop}.`,
    `${formatCount(files.size)} files: ${[...files.keys()].join(", ")}`,
  ];
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
  if (!isCancel(store)) return { ...flags, store };
  cancel("Nothing was written.");
  process.exitCode = CANCELLED;
  return null;
}

async function isAgreed(plan: InitPlan): Promise<boolean> {
  const { cancel, confirm, isCancel, note } = await import("@clack/prompts");
  note(planLines(plan).join("\n"));
  const agreed = await confirm({ message: "Write these files and build?" });
  if (agreed === true) return true;
  if (isCancel(agreed)) process.exitCode = CANCELLED;
  cancel(
    isCancel(agreed) ? "Nothing was written." : "Nothing was written. Flags are told by vitrine init --help.",
  );
  return false;
}

/** The first products of the list, for the owner to compare with the shop. */
function sampleLines(out: string): string[] {
  const file = join(out, "site/api/v1/products/page=1.json");
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
  const { runBuild } = await import("./stages.ts");
  const log = terminalLog(quiet);
  const inputs = await resolveInputs({ configFile: CONFIG_FILE });
  return runBuild(inputs, log).finally(() => log.done());
}

function resultLines(report: BuildReport): string[] {
  return [
    ...summaryLines(report),
    ...(report.records.product === undefined ? [] : ["the newest products:", ...sampleLines(report.out)]),
    "",
    "Compare that with the shop, and read PRIVACY.md. Then:",
    "  vitrine serve    http://127.0.0.1:8080/api/v1/products, /api/v1/store",
    `  siteUrl and baseUrl in ${CONFIG_FILE} are what answers link to: set them before you publish`,
  ];
}

async function init(given: InitFlags): Promise<void> {
  const isAsked = process.stdin.isTTY && process.stdout.isTTY && given.yes !== true && given.json !== true;
  const flags = isAsked ? await ask(given) : given;
  if (flags === null) return;
  const { store } = flags;
  if (store === undefined)
    throw new VitrineError("usage", "Which store? Name its file or its address with --store.");
  if (!isAsked && given.yes !== true)
    throw new VitrineError(
      "usage",
      "There is no terminal to ask on: say --yes, and files are written and a first build is made.",
    );
  const { planInit, writeInit } = await import("../init.ts");
  const folder = process.cwd();
  const { shop, siteUrl, baseUrl } = flags;
  const place = isServerAddress(store) ? store : resolve(store);
  const plan = await planInit({ store: place, folder, shop, siteUrl, baseUrl });
  if (isAsked && !(await isAgreed(plan))) return;
  writeInit(folder, plan);
  const report = await firstBuild(flags.json === true);
  const lines = [...(isAsked ? [] : planLines(plan)), ...resultLines(report)];
  printResult(flags.json === true, { shop: plan.shop, files: [...plan.files.keys()], report }, lines);
}

export function addInit(program: Command): void {
  program
    .command("init")
    .description("look at a store, write a configuration and an allow-list for it, and build")
    .option("--store <place>", "the store: an SQLite file, postgres://USER@HOST/DATABASE or mysql://…")
    .option(
      "--shop <name>",
      "which shop it is, where it may be several: woocommerce, edd, prestashop, medusa, saleor",
    )
    .option("--site-url <address>", "public address of the shop's site (default: what the store says)")
    .option("--base-url <address>", "public address of the API, ending in /api/v1")
    .option("--yes", "ask nothing")
    .option("--json", "print the result as one JSON object")
    .addHelpText("after", EXAMPLES)
    .action(init);
}
