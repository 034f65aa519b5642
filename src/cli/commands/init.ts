/** `vitrine init` */
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { API_PATH, type EndpointPath } from "../../api/endpoints.ts";
import { VitrineError } from "../../base/error.ts";
import { counted } from "../../base/log.ts";
import {
  CONFIG_FILE,
  DEFAULT_QUERIES,
  outLayout,
  readConfigIfAny,
  resolveInputs,
} from "../../config/inputs.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { canonicalKey } from "../../key/key.ts";
import type { BuildReport } from "../../pipeline/build-report.ts";
import type { Wanted } from "../../setup/choices.ts";
import type { ComparedFiles, InitOptions, InitPlan } from "../../setup/init.ts";
import { CHOICE_WORDS, type ChoiceKind } from "../../setup/shop-table.ts";
import { CHOICE_KINDS, SHOP_NAMES } from "../../setup/shops.ts";
import { FEEDS } from "../../site/feeds/feed.ts";
import type { FeedName } from "../../site/write-report.ts";
import { isServerAddress } from "../../store/address.ts";
import { formatPrice, leftOutLines, notPublicLines, summaryLines } from "../build-summary.ts";
import { FORCE_FLAG, SHRINK_FLAG } from "../inputs.ts";
import { choice, commandOf, type Flag, type Flags, flag, rare, text, texts } from "../options.ts";
import { escapeForTerminal, printResult, terminalLog } from "../terminal.ts";

/** `--currency` is a flag of every store. */
type ChoiceFlag = Exclude<ChoiceKind, "currency">;

const CHOICE_FLAGS = Object.fromEntries(
  CHOICE_KINDS.filter((kind) => kind !== "currency").map((kind) => {
    const [one, several] = CHOICE_WORDS[kind];
    return [kind, rare(text("<name>", `the ${one} that becomes public, of a shop with several ${several}`))];
  }),
) as Readonly<Record<ChoiceFlag, Flag<string | undefined>>>;

/** As SIGINT's: a prompt receives Ctrl-C as a key. */
const CANCELLED = 130;

const FLAGS = {
  store: text("<address>", "the store: an SQLite file, postgres://USER@HOST/DATABASE or mysql://…"),
  siteUrl: text("<address>", "address of the shop's site (default: what the store says)"),
  baseUrl: text("<address>", "public address of the API, ending in /api/v1"),
  currency: text("<code>", "currency of the prices, like EUR (default: what the store says)"),
  categories: texts("<ids...>", "only these categories become public, of a shop that Vitrine knows"),
  feeds: texts("<names...>", `feeds to make: ${Object.keys(FEEDS).join(", ")}`),
  shop: rare(choice("<name>", "the kind of shop, if the store may be several", SHOP_NAMES)),
  ...CHOICE_FLAGS,
  yes: flag("ask nothing"),
  ...FORCE_FLAG,
  allowShrink: rare(SHRINK_FLAG.allowShrink),
  json: flag("print the result as JSON"),
};

export const addInit = commandOf(
  {
    name: "init",
    does: "set up a shop: configuration, SQL files, first build",
    flags: FLAGS,
    examples: [
      "vitrine init",
      "vitrine init --store shop.sqlite --yes",
      "vitrine init --store mysql://reader@127.0.0.1/shop --site-url https://shop.example --yes",
    ],
  },
  init,
);

type InitFlags = Flags<typeof FLAGS>;

async function init(flags: InitFlags): Promise<void> {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  if (isTerminal && flags.yes !== true && flags.json !== true) return initByAsking(flags);
  const { store, ...options } = await optionsOf(flags);
  if (store === undefined)
    throw new VitrineError("usage", "Which store? Name its file or its address with --store.");
  if (flags.yes !== true)
    throw new VitrineError(
      "usage",
      "There is no terminal to ask on. Add --yes: files are written, and a shop that Vitrine knows is built.",
    );
  const { planInit } = await import("../../setup/init.ts");
  return writeAndBuild(flags, await planInit({ ...options, store }), false);
}

/** On a terminal: asks, shows what would be written, then writes. */
async function initByAsking(flags: InitFlags): Promise<void> {
  const { cancel, intro } = await import("@clack/prompts");
  const { compareFiles, planInit } = await import("../../setup/init.ts");
  const stop = (code: number) => {
    cancel("Nothing was written. The flags of vitrine init --help answer these questions, too.");
    process.exitCode = code;
  };
  intro("A catalog API for your shop");
  const given = await optionsOf(flags);
  const store = given.store ?? (await askStore());
  if (store === null) return stop(CANCELLED);
  const first = await planInit({ ...given, store });
  const wanted = await askChoices(first, given);
  if (wanted === null) return stop(CANCELLED);
  const chosen = { ...given, wanted };
  const options = await askRest(await planInit({ ...chosen, store }), chosen);
  if (options === null) return stop(CANCELLED);
  const plan = await planInit({ ...options, store });
  const agreed = await isAgreed(plan, compareFiles(options.folder, plan));
  if (agreed !== true) return stop(agreed === null ? CANCELLED : 0);
  return writeAndBuild(flags, plan, true);
}

type Options = Omit<InitOptions, "store"> & { readonly store: string | undefined };

/** The flags, completed by the configuration of an earlier init. @throws VitrineError usage */
async function optionsOf(flags: InitFlags): Promise<Options> {
  const { readApiAddress, readCurrency, readSiteAddress } = await import("../../setup/init.ts");
  const { categories, feeds, store } = flags;
  const folder = process.cwd();
  const known = await readConfigIfAny(undefined);
  const given = {
    store: store === undefined || isServerAddress(store) ? store : resolve(store),
    siteUrl: readFlag("--site-url", flags.siteUrl, readSiteAddress, "an address like https://shop.example"),
    baseUrl: readFlag(
      "--base-url",
      flags.baseUrl,
      readApiAddress,
      "an address like https://api.shop.example/api/v1",
    ),
    feeds: feeds === undefined ? undefined : await readFeeds(feeds),
  };
  if (known !== null) checkKeptConfig(known, given);
  return {
    folder,
    queries: known?.queries === undefined ? DEFAULT_QUERIES : relative(folder, known.queries),
    store: given.store ?? known?.store,
    siteUrl: given.siteUrl ?? known?.config.siteUrl,
    baseUrl: given.baseUrl ?? known?.config.baseUrl,
    // Nothing is asked that a configuration says.
    feeds: given.feeds ?? (known === null ? undefined : []),
    shop: flags.shop,
    wanted: Object.fromEntries(
      (Object.keys(CHOICE_FLAGS) as ChoiceFlag[])
        .filter((kind) => flags[kind] !== undefined)
        .map((kind) => [kind, flags[kind]]),
    ),
    currency: readFlag("--currency", flags.currency, readCurrency, "a code of three letters like EUR"),
    categories: categories === undefined ? undefined : readCategories(categories),
  };
}

/** The value of a flag. @throws VitrineError usage if it cannot be read */
function readFlag(
  name: string,
  text: string | undefined,
  read: (text: string) => string | null,
  takes: string,
): string | undefined {
  if (text === undefined) return undefined;
  const value = read(text);
  if (value !== null) return value;
  throw new VitrineError("usage", `${name} takes ${takes}, not ${text}.`);
}

/** @throws VitrineError usage */
async function readFeeds(names: readonly string[]): Promise<FeedName[]> {
  const wrong = names.find((name) => !Object.hasOwn(FEEDS, name));
  if (wrong === undefined) return names as FeedName[];
  const { didYouMean } = await import("../../base/nearest.ts");
  throw new VitrineError("usage", `There is no feed ${wrong}. ${didYouMean(wrong, Object.keys(FEEDS))}`);
}

/** The first flag that a configuration, which is kept, contradicts: such a flag would change nothing. @throws VitrineError usage */
function checkKeptConfig(
  { store, config }: LoadedConfig,
  given: Pick<Options, "store" | "siteUrl" | "baseUrl" | "feeds">,
): void {
  const on = Object.entries(config.feeds ?? {}).flatMap(([name, isOn]) => (isOn ? [name] : []));
  const settings = [
    { name: "store", asked: given.store, value: store },
    { name: "siteUrl", asked: given.siteUrl, value: config.siteUrl },
    { name: "baseUrl", asked: given.baseUrl, value: config.baseUrl },
    { name: "feeds", asked: given.feeds?.find((feed) => !on.includes(feed)), value: on.join(", ") },
  ];
  const other = settings.find(({ asked, value }) => asked !== undefined && asked !== value);
  if (other === undefined) return;
  throw new VitrineError(
    "usage",
    `${CONFIG_FILE} is kept, with "${other.name}": ${other.value || "nothing"}, not ${other.asked}. ` +
      "Change it there, or run vitrine init in another folder.",
  );
}

/** @throws VitrineError usage */
function readCategories(ids: readonly string[]): number[] {
  const wrong = ids.find((id) => !/^\d{1,15}$/.test(id));
  if (wrong === undefined) return ids.map(Number);
  throw new VitrineError("usage", `--categories takes the ids of categories, like 3 7, not ${wrong}.`);
}

/** Asks for the store. Null: the person has cancelled. */
async function askStore(): Promise<string | null> {
  const { isCancel, text } = await import("@clack/prompts");
  const store = await text({
    message: "Where is the store?",
    placeholder: "shop.sqlite, postgres://reader@host/shop or mysql://reader@host/shop",
    validate: (value) =>
      value === undefined || value.trim() === "" ? "Type a file or an address." : undefined,
  });
  if (isCancel(store)) return null;
  return isServerAddress(store) ? store : resolve(store);
}

/** Asks for each choice that changes what visitors see. Null: the person has cancelled. */
async function askChoices(plan: InitPlan, { folder, queries = "", wanted }: Options): Promise<Wanted | null> {
  const { isCancel, select } = await import("@clack/prompts");
  const { hasSql } = await import("../../setup/init.ts");
  const { labelOf, seemsSame } = await import("../../setup/choices.ts");
  let answers: Wanted = wanted ?? {};
  if (hasSql(join(folder, queries))) return answers;
  for (const found of plan.choices) {
    const { kind, candidates, taken, chosenBy } = found;
    if (wanted?.[kind] !== undefined || candidates.every((each) => seemsSame(each, taken))) continue;
    const answer = await select({
      message: `Which ${CHOICE_WORDS[kind][0]} becomes public?`,
      options: candidates.map((each) => ({
        value: each.code,
        label: escapeForTerminal(labelOf(found, each)),
        ...(each === taken && chosenBy === "shop" ? { hint: found.because } : {}),
      })),
      ...(taken === null ? {} : { initialValue: taken.code }),
      maxItems: 12,
    });
    if (isCancel(answer)) return null;
    // The shop's own choice is read from the shop in every build; any other is written into the files.
    if (answer !== taken?.code || chosenBy !== "shop") answers = { ...answers, [kind]: answer };
  }
  return answers;
}

type Answers = Pick<InitOptions, "categories" | "currency" | "siteUrl" | "baseUrl" | "feeds">;

/** Asks for everything that the store and the options do not say. Null: the person has cancelled. */
async function askRest(plan: InitPlan, options: Options): Promise<Options | null> {
  let answers: Answers = options;
  for (const { name, isNeeded, ask } of await questionsFor(plan, options)) {
    if (!isNeeded || options[name] !== undefined) continue;
    const answer = await ask(answers);
    if (typeof answer === "symbol") return null;
    answers = { ...answers, [name]: answer };
  }
  return { ...options, ...answers };
}

/** A question that is asked unless the options answer it. It gives the answer, or the symbol of a cancelled prompt. */
interface Question {
  readonly name: keyof Answers;
  readonly isNeeded: boolean;
  readonly ask: (answers: Answers) => Promise<Answers[keyof Answers] | symbol>;
}

/** All that the store does not say. What SQL files say is not asked: they are kept. */
async function questionsFor(plan: InitPlan, { folder, queries = "" }: Options): Promise<Question[]> {
  const { multiselect, text } = await import("@clack/prompts");
  const { hasSql, readApiAddress, readCurrency, readSiteAddress } = await import("../../setup/init.ts");
  const keepsSql = hasSql(join(folder, queries));
  /** A text that is read into a value; what cannot be read is asked for again. */
  const value = async (
    read: (text: string) => string | null,
    wrong: string,
    options: { readonly message: string; readonly initialValue?: string; readonly placeholder?: string },
  ) => {
    const validate = (said: string | undefined) => (read(said ?? "") === null ? wrong : undefined);
    const said = await text({ ...options, validate });
    return typeof said === "string" ? (read(said) ?? said) : said;
  };
  return [
    {
      name: "categories",
      isNeeded: plan.categories.length > 1 && !keepsSql,
      ask: async () => {
        const ids = plan.categories.map(({ id }) => id);
        const chosen = await multiselect({
          message: "Which categories become public? Space selects or removes one, Enter continues.",
          options: plan.categories.map(({ id, name }) => ({ value: id, label: escapeForTerminal(name) })),
          initialValues: ids,
          maxItems: 12,
        });
        return Array.isArray(chosen) && chosen.length === ids.length ? undefined : chosen;
      },
    },
    {
      name: "currency",
      isNeeded: plan.currency === null && !keepsSql,
      ask: () =>
        value(readCurrency, "Type a code of three letters, like EUR.", {
          message: "Which currency are the prices in?",
          placeholder: "EUR",
        }),
    },
    {
      name: "siteUrl",
      isNeeded: true,
      ask: () =>
        value(readSiteAddress, "Type an address like https://shop.example.", {
          message: "Address of the shop's site?",
          initialValue: plan.siteUrl,
        }),
    },
    {
      name: "baseUrl",
      isNeeded: true,
      ask: ({ siteUrl = plan.siteUrl }) =>
        value(readApiAddress, "Type an address like https://api.shop.example/api/v1.", {
          message: "Public address of the API? It ends in /api/v1.",
          initialValue: siteUrl + API_PATH,
        }),
    },
    {
      name: "feeds",
      isNeeded: true,
      ask: () =>
        multiselect({
          message:
            "Which feeds besides the API? Space selects one, Enter continues. You can turn them on later.",
          options: (Object.entries(FEEDS) as [FeedName, string][]).map(([feed, hint]) => ({
            value: feed,
            label: feed,
            hint,
          })),
          required: false,
        }),
    },
  ];
}

/** Shows what would be written. True: go on. False: no. Null: the person has cancelled. */
async function isAgreed(plan: InitPlan, compared: ComparedFiles): Promise<boolean | null> {
  const { confirm, isCancel, note } = await import("@clack/prompts");
  note(planLines(plan, compared).join("\n"));
  const verbs = [
    ...(compared.missing.length === 0 ? [] : ["Write these files"]),
    ...(plan.shop === null ? [] : ["build"]),
  ].join(" and ");
  if (verbs === "") return true;
  const agreed = await confirm({ message: `${verbs[0]?.toUpperCase()}${verbs.slice(1)}?` });
  return isCancel(agreed) ? null : agreed;
}

/** Describes the store and the files that would be written. */
function planLines(
  { shop, tables, notes, queries }: InitPlan,
  { missing, kept, lacking }: ComparedFiles,
): string[] {
  const count = counted(tables, ["table"]);
  return [
    shop === null
      ? `${count}. Vitrine does not know this shop: you write the queries.`
      : `${count}: this is ${shop}.`,
    missing.length === 0
      ? "No file is missing."
      : `${counted(missing.length, ["new file"])}: ${missing.join(", ")}`,
    ...(kept.length === 0
      ? []
      : [`Kept as ${kept.length === 1 ? "it is" : "they are"}, not overwritten: ${kept.join(", ")}.`]),
    ...(lacking.length === 0
      ? []
      : [
          `Not written: ${lacking.join(", ")}. ${queries} has SQL files, so these were removed on purpose: their records are not public. ` +
            "To get one back, run vitrine init in an empty folder and copy it.",
        ]),
    ...notes,
  ].map(escapeForTerminal);
}

async function writeAndBuild(flags: InitFlags, plan: InitPlan, isAsked: boolean): Promise<void> {
  const { writeInit } = await import("../../setup/init.ts");
  const json = flags.json === true;
  const compared = writeInit(process.cwd(), plan);
  const { missing: written, kept } = compared;
  const lines = isAsked ? [] : planLines(plan, compared);
  if (plan.shop === null)
    return printResult(json, { shop: null, written, kept }, [...lines, ...(await nextLines(plan))]);
  const report = await firstBuild(flags);
  const choices = plan.choices.map(({ kind, candidates, taken }) => ({
    kind,
    taken: taken?.code ?? null,
    candidates: candidates.map(({ code, name, shown }) => ({
      code,
      name,
      products: shown?.products ?? null,
    })),
  }));
  printResult(json, { shop: plan.shop, written, kept, choices, report }, [
    ...lines,
    ...(await resultLines(report)),
  ]);
}

/** What a person does with the files of an unknown store. */
async function nextLines({ queries }: InitPlan): Promise<string[]> {
  const { filesWithoutQuery } = await import("../../extract/allow-list.ts");
  const required = filesWithoutQuery(queries).flatMap(({ file, isRequired }) => (isRequired ? [file] : []));
  const steps = [
    ...(required.length === 0
      ? []
      : [`read SCHEMA.md, and write the queries of ${required.join(", ")} in ${queries}/`]),
    "vitrine build && vitrine check, then look at it: vitrine serve",
    "vitrine doctor lists the files that still lack a query",
    ...((await hasLocalAddress())
      ? [`set siteUrl and baseUrl in ${CONFIG_FILE} to your public addresses before you publish`]
      : []),
  ];
  return [
    "",
    "Nothing was built. Next, as docs/own-store.md shows:",
    ...steps.map((step, at) => `  ${at + 1}. ${step}`),
  ];
}

async function firstBuild({ json, force, allowShrink }: InitFlags): Promise<BuildReport> {
  const log = terminalLog(json === true);
  const inputs = await resolveInputs({ configFile: CONFIG_FILE, force, allowShrink });
  const { buildSnapshot } = await import("../../pipeline/build.ts");
  return buildSnapshot(inputs, log).finally(() => log.done());
}

async function hasLocalAddress(): Promise<boolean> {
  const { config } = await resolveInputs({ configFile: CONFIG_FILE });
  const { LOCAL_SITE } = await import("../../setup/init.ts");
  return config.baseUrl.startsWith(LOCAL_SITE) || config.siteUrl.startsWith(LOCAL_SITE);
}

async function resultLines(report: BuildReport): Promise<string[]> {
  const { first, last } = notPublicLines(report.notPublic, report.records.product ?? 0);
  return [
    ...first,
    ...summaryLines(report),
    ...leftOutLines(report),
    ...last,
    ...(report.records.product === undefined ? [] : ["the newest products:", ...sampleLines(report.out)]),
    "",
    "Compare this with the shop, and read PRIVACY.md. Next:",
    "  vitrine serve --open   look at the API on this machine",
    ...((await hasLocalAddress())
      ? [`  ${CONFIG_FILE}    set siteUrl and baseUrl to your public addresses before you publish`]
      : []),
    "  vitrine publish --to PLACE, as docs/going-live.md shows",
  ];
}

const SAMPLES = 3;

/** The first products of the list, to be compared with the shop. */
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
    .map(
      ({ title, price, currency, public_url }) =>
        `  ${title}, ${formatPrice(price, currency)}, ${public_url}`,
    );
}
