/**
 * `vitrine init`: the configuration, the SQL files and a page about the store. {@link planInit} looks at the store and says
 * which texts there would be, {@link compareFiles} compares them with the folder, {@link writeInit} writes those that are missing.
 * SQL files are written only into a folder that has none: one that a person deleted must not become public again.
 */

import { existsSync, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { API_PATH } from "../api/endpoints.ts";
import { CLOCK } from "../base/clock.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { makeFolder } from "../base/files.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import { toSqlTime } from "../base/time.ts";
import { CONFIG_FILE, DEFAULT_QUERIES } from "../config/inputs.ts";
import {
  type AllowList,
  type AllowListQuery,
  readAllowList,
  readBeside,
  VIEWS,
} from "../extract/allow-list.ts";
import { reasonClosed, resolveColumns } from "../extract/columns.ts";
import { cleanHtml } from "../extract/html.ts";
import { type StoreReader, type StoreValue, valuesOf } from "../extract/store.ts";
import { CONFIG_SCHEMA_FILE } from "../package.ts";
import type { FeedName } from "../site/write-report.ts";
import { isServerAddress } from "../store/address.ts";
import { openStore } from "../store/open.ts";
import {
  choiceSentence,
  chosenCodes,
  type FoundChoice,
  flagOf,
  readChoices,
  readSqlFiles,
  undecidedReason,
  type Wanted,
} from "./choices.ts";
import { PRIVACY_FILE, privacyPage, readPrivacy } from "./privacy/page.ts";
import { ask, countRows, dialectOf, readSchema } from "./schema.ts";
import { SCHEMA_FILE, schemaPage } from "./schema-page.ts";
import {
  CHOICE_KINDS,
  choicesOfShop,
  type FoundShop,
  filesOfShop,
  otherDatabaseNote,
  pageOfShop,
  recogniseShops,
  SHOP_NAMES,
  wordPressNote,
} from "./shops.ts";
import { skeletons } from "./skeletons.ts";

/** The address of `vitrine serve`, until the owner names a public one. */
export const LOCAL_SITE = "http://127.0.0.1:8080";

export interface InitOptions {
  /** A file or a server's address. */
  readonly store: string;
  /** Where the files are written. */
  readonly folder: string;
  /** Folder of the SQL files, below `folder`. Default: `queries`. */
  readonly queries?: string | undefined;
  /** One of {@link SHOP_NAMES}, if the store may be several. */
  readonly shop?: string | undefined;
  /** Of what the shop has several, the one that becomes public, by its code or name. Default: what the shop itself takes. */
  readonly wanted?: Wanted | undefined;
  /** As {@link readSiteAddress} gives it. Default: what the store says. */
  readonly siteUrl?: string | undefined;
  /** As {@link readApiAddress} gives it. */
  readonly baseUrl?: string | undefined;
  /** ISO code of the prices' currency, instead of what the store says. */
  readonly currency?: string | undefined;
  /** Ids of the categories that become public. Default: all. */
  readonly categories?: readonly number[] | undefined;
  /** Feeds to turn on. */
  readonly feeds?: readonly FeedName[] | undefined;
}

interface ShopCategory {
  readonly id: number;
  readonly name: string;
}

export interface InitPlan {
  /** Name of the shop that was recognised; null if a person writes the queries. */
  readonly shop: string | null;
  readonly tables: number;
  /** Folder of the SQL files, below the folder of the options. */
  readonly queries: string;
  /** Texts by path, relative to the folder of the options. */
  readonly files: ReadonlyMap<string, string>;
  /** What the shop has several of, and what the files take. */
  readonly choices: readonly FoundChoice[];
  /** All categories of the shop, also those that the options leave out. */
  readonly categories: readonly ShopCategory[];
  /** What the options or the store say. Null: neither does. */
  readonly currency: string | null;
  /** What the options or the store say, else {@link LOCAL_SITE}. */
  readonly siteUrl: string;
  /** Remarks about the store, a sentence or two each. */
  readonly notes: readonly string[];
}

/** Looks at a store and says which files would be written. @throws VitrineError store_unreadable, usage, allow_list_invalid */
export async function planInit(options: InitOptions): Promise<InitPlan> {
  const dialect = dialectOf(options.store);
  const { folder, queries = DEFAULT_QUERIES, currency } = options;
  const store = await openStore(options.store, toSqlTime(CLOCK.now()));
  try {
    const schema = await readSchema(store, dialect);
    const elsewhere = otherDatabaseNote(schema, dialect, options.shop);
    const shop = chooseShop(recogniseShops(schema, dialect), options.shop, elsewhere);
    const files = new Map<string, string>();
    const addQueries = (texts: Iterable<readonly [file: string, text: string]>) => {
      for (const [file, text] of texts) files.set(join(queries, file), text);
    };
    if (shop === null) {
      const unused = [
        ...CHOICE_KINDS.filter((kind) => options.wanted?.[kind] !== undefined).map(flagOf),
        ...(options.categories === undefined ? [] : ["--categories"]),
      ];
      if (unused[0] !== undefined)
        throw new VitrineError("usage", `${unused[0]} needs a shop that Vitrine knows, which this is not.`);
      const siteUrl = options.siteUrl ?? LOCAL_SITE;
      const counts = new Map<string, number | null>();
      for (const table of schema.keys()) counts.set(table, await countRows(store, table, dialect));
      files.set(CONFIG_FILE, configText(options, siteUrl));
      files.set(SCHEMA_FILE, schemaPage(schema, counts));
      addQueries(skeletons(dialect, currency));
      checkKeptSql(options, queries, files);
      const note = elsewhere ?? wordPressNote(schema);
      const notes = note === null ? [] : [note];
      const nothing = { choices: [], categories: [] };
      return {
        shop: null,
        tables: schema.size,
        queries,
        files,
        ...nothing,
        currency: currency ?? null,
        siteUrl,
        notes,
      };
    }
    const held = async (query: string) => {
      const [[value = null] = []] = await ask(store, query, ["held"]);
      return value === null ? null : String(value);
    };
    const { files: shipped, notes: settingNotes } = await filesOfShop(shop, schema, held);
    const { title } = shop.shop;
    const ofShop = { title, dialect, shipped, choices: choicesOfShop(shop, schema) };
    // Prices of another currency are chosen; in a shop without that choice, a person may say what its prices are in.
    const isCurrencyChosen = ofShop.choices.some(({ kind }) => kind === "currency");
    const isRegionChosen = ofShop.choices.some(({ kind }) => kind === "region");
    const own = join(folder, queries);
    const { choices, files: shopSql } = await readChoices(store, ofShop, shipped, {
      ...(hasSql(own) ? await chosenCodes(store, ofShop, readSqlFiles(own)) : {}),
      ...options.wanted,
      ...(isCurrencyChosen && currency !== undefined ? { currency } : {}),
    });
    const { list: shopList, closed } = await allowListOf(shopSql);
    const resolved = await resolveColumns(store, shopList);
    const facts = await readFacts(store, resolved);
    checkCategories(facts.categories, options.categories);
    if (isRegionChosen && currency !== undefined && currency !== facts.currency)
      throw new VitrineError(
        "usage",
        `The prices are in ${facts.currency}, the currency of the region. Choose another region with --region.`,
      );
    const label = isCurrencyChosen || isRegionChosen ? undefined : currency;
    const sql = applyAnswers(shopSql, resolved, { currency: label, categories: options.categories });
    const reason = await reasonClosed(store, closed);
    const closedNotes =
      reason === null
        ? []
        : [`The shop is closed to visitors: ${reason}. Vitrine builds it only with --force.`];
    const siteUrl = options.siteUrl ?? facts.site ?? LOCAL_SITE;
    files.set(CONFIG_FILE, configText(options, siteUrl));
    addQueries(sql);
    files.set(join(queries, "README.md"), pageOfShop(shop));
    checkKeptSql(options, queries, files);
    // The page is about the files that are built from: those that are kept, if there are any.
    const privacy = hasSql(own)
      ? await readPrivacy(options.store, own)
      : await privacyPage(options.store, Object.values((await allowListOf(sql)).list));
    files.set(PRIVACY_FILE, privacy);
    return {
      shop: title,
      tables: schema.size,
      queries,
      files,
      choices,
      categories: facts.categories,
      currency: label ?? facts.currency,
      siteUrl,
      notes: [...closedNotes, ...choices.map(choiceSentence), ...settingNotes],
    };
  } finally {
    await store.close();
  }
}

/**
 * Writes the files of a plan that are missing, all of them or none.
 * @throws VitrineError usage if a person must choose first which products are public; write_failed
 */
export function writeInit(folder: string, plan: InitPlan): ComparedFiles {
  const compared = compareFiles(folder, plan);
  const reasons = hasSql(join(folder, plan.queries)) ? [] : plan.choices.map(undecidedReason);
  for (const reason of reasons) if (reason !== null) throw new VitrineError("usage", reason);
  const made: string[] = [];
  const partOf = (path: string) => join(dirname(path), `.${basename(path)}.${process.pid}`);
  const paths = compared.missing.map((file) => join(folder, file));
  try {
    for (const [at, path] of paths.entries()) {
      const first = makeFolder(dirname(path));
      if (first !== undefined) made.push(first);
      made.push(partOf(path));
      writeFileSync(partOf(path), plan.files.get(compared.missing[at] ?? "") ?? "", { flag: "wx" });
    }
    // Renamed when all are there: some SQL files without the others would be kept as if they were wanted so.
    for (const path of paths) {
      renameSync(partOf(path), path);
      made.push(path);
    }
  } catch (error) {
    for (const path of made.toReversed()) rmSync(path, { recursive: true, force: true });
    const said = `Cannot write to ${folder}: ${messageOf(error)}. Nothing was left behind.`;
    throw new VitrineError("write_failed", said, { cause: error });
  }
  return compared;
}

/** Compares a plan's files with those of the folder. */
export function compareFiles(folder: string, plan: Pick<InitPlan, "files" | "queries">): ComparedFiles {
  const missing: string[] = [];
  const kept: string[] = [];
  const lacking: string[] = [];
  const keepsSql = hasSql(join(folder, plan.queries));
  for (const [name, text] of plan.files) {
    const path = join(folder, name);
    if (isTaken(path)) {
      if (!isFileWith(path, text)) kept.push(name);
    } else if (keepsSql && name.endsWith(".sql")) lacking.push(name);
    else missing.push(name);
  }
  return { missing, kept, lacking };
}

/** @param elsewhere says that the store has the tables of a shop that is known in another database */
function chooseShop(
  found: readonly FoundShop[],
  name: string | undefined,
  elsewhere: string | null,
): FoundShop | null {
  const wanted = name === undefined ? found : found.filter(({ shop }) => shop.name === name);
  const [first = null, second] = wanted;
  if (name !== undefined && first === null)
    throw new VitrineError(
      "usage",
      elsewhere ?? `The store does not have the tables of ${name}. Known shops are ${SHOP_NAMES.join(", ")}.`,
    );
  if (second === undefined) return first;
  const names = [...new Set(wanted.map(({ shop }) => shop.name))];
  const advice =
    names.length > 1 ? `Choose with --shop ${names.join(" or --shop ")}.` : "It has several sets of tables.";
  throw new VitrineError("usage", `The store may be any of ${names.join(", ")}. ${advice}`);
}

function configText(options: InitOptions, siteUrl: string): string {
  const { store, folder, queries = DEFAULT_QUERIES, baseUrl = LOCAL_SITE + API_PATH, feeds = [] } = options;
  const config = {
    $schema: schemaFrom(folder),
    store: isServerAddress(store) ? store : relative(folder, resolve(store)),
    queries,
    out: "out",
    baseUrl,
    siteUrl,
    ...(feeds.length === 0 ? {} : { feeds: Object.fromEntries(feeds.map((name) => [name, true])) }),
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Where editors find the schema: in the packages of the folder or one above it, else in this package. */
function schemaFrom(folder: string): string {
  for (let above = resolve(folder); ; above = dirname(above)) {
    const file = join(above, "node_modules/vitrine/vitrine.config.schema.json");
    if (existsSync(file)) {
      const path = relative(folder, file).replaceAll("\\", "/");
      return path.startsWith("../") ? path : `./${path}`;
    }
    if (above === dirname(above)) return pathToFileURL(CONFIG_SCHEMA_FILE).href;
  }
}

/** Refuses an answer that would change an SQL file which is kept. @throws VitrineError usage */
function checkKeptSql(options: InitOptions, queries: string, files: ReadonlyMap<string, string>): void {
  const { folder, wanted = {}, categories, currency } = options;
  if (!hasSql(join(folder, queries))) return;
  const answered = ["store.sql", "categories.sql", "products.sql"];
  const rules = [
    ...CHOICE_KINDS.map((kind) => ({ flag: flagOf(kind), isGiven: wanted[kind] !== undefined, in: [VIEWS] })),
    { flag: "--categories", isGiven: categories !== undefined, in: answered },
    { flag: "--currency", isGiven: currency !== undefined, in: [...answered, VIEWS] },
  ];
  for (const { flag, isGiven, in: names } of rules) {
    const differs = names
      .map((name) => join(queries, name))
      .find((name) => {
        const path = join(folder, name);
        return existsSync(path) && readFileSync(path, "utf8") !== files.get(name);
      });
    if (!isGiven || differs === undefined) continue;
    throw new VitrineError(
      "usage",
      `${flag} would change ${differs}, which is kept. Change the file itself, ` +
        `or delete the folder ${queries} to have all its files written again.`,
    );
  }
}

/** True if a folder has SQL files: then they say what is public, and none is added. */
export function hasSql(folder: string): boolean {
  return readSqlFiles(folder).size > 0;
}

/** The SQL files as an allow-list, and the one that says whether the shop is closed. */
async function allowListOf(
  files: ReadonlyMap<string, string>,
): Promise<{ readonly list: AllowList; readonly closed: AllowListQuery | null }> {
  await using folder = await temporaryFolder();
  for (const [file, sql] of files) writeFileSync(join(folder.path, file), sql);
  return { list: readAllowList(folder.path), closed: readBeside(folder.path).closed };
}

/** What the store says itself, by its own store.sql and categories.sql. */
async function readFacts(store: StoreReader, list: AllowList) {
  const [about] = await rowsOf(store, list["store"]);
  const url = URL.parse(String(about?.get("public_url")));
  const categories = (await rowsOf(store, list["categories"])).map((row): ShopCategory => {
    const html = row.get("name_html");
    const name = html === undefined ? String(row.get("name")) : cleanHtml(String(html)).text;
    return { id: Number(row.get("id")), name };
  });
  return {
    site: url?.protocol === "https:" || url?.protocol === "http:" ? url.origin : null,
    currency: readCurrency(String(about?.get("currency") ?? "")),
    categories,
  };
}

/** The rows that a file gives, each by its columns. */
async function rowsOf(
  store: StoreReader,
  query: AllowListQuery | undefined,
): Promise<ReadonlyMap<string, StoreValue>[]> {
  if (query === undefined) return [];
  const { columns = [] } = query;
  const found: Map<string, StoreValue>[] = [];
  for await (const rows of store.batches(query))
    for (const row of rows) {
      const values = valuesOf(row);
      found.push(new Map(columns.map((column, at) => [column, values[at] ?? null])));
    }
  return found;
}

/** `eur` → `EUR`; null if it cannot be a currency. */
export function readCurrency(text: string): string | null {
  return /^[a-z]{3}$/i.test(text.trim()) ? text.trim().toUpperCase() : null;
}

function checkCategories(known: readonly ShopCategory[], wanted: readonly number[] | undefined): void {
  const wrong = wanted?.find((id) => !known.some((category) => category.id === id));
  if (wrong === undefined) return;
  const names = known.map(({ id, name }) => `${id} (${name})`).join(", ");
  throw new VitrineError("usage", `The shop has no public category ${wrong}. It has ${names || "none"}.`);
}

/** Puts the owner's currency and categories into the shop's files. */
function applyAnswers(
  sql: ReadonlyMap<string, string>,
  list: AllowList,
  { currency, categories }: Pick<InitOptions, "currency" | "categories">,
): ReadonlyMap<string, string> {
  const ids = categories?.join(", ") ?? "";
  const only = (column: string) =>
    categories === undefined
      ? ""
      : `-- Only the categories that were chosen in vitrine init.\nWHERE x.${column} IN (${ids})\n`;
  const rules = [
    { name: "store", rows: "", isChanged: currency !== undefined },
    { name: "categories", rows: only("id"), isChanged: categories !== undefined },
    {
      name: "products",
      rows: only("category_id"),
      isChanged: currency !== undefined || categories !== undefined,
    },
  ];
  const files = new Map(sql);
  for (const { name, rows, isChanged } of rules) {
    const text = sql.get(`${name}.sql`);
    if (!isChanged || text === undefined) continue;
    files.set(`${name}.sql`, narrowed(text, list[name]?.columns ?? [], currency ?? null, rows));
  }
  return files;
}

/** A file's SQL with the answers of a person put around it: a currency, rows of some categories only. */
function narrowed(sql: string, columns: readonly string[], currency: string | null, rows: string): string {
  const names = columns.map((column) =>
    column === "currency" && currency !== null ? `'${currency}' AS currency` : `x.${column}`,
  );
  return `SELECT\n  ${names.join(",\n  ")}\nFROM (\n${sql.trimEnd().replace(/;$/, "")}\n) AS x\n${rows}`;
}

export interface ComparedFiles {
  /** Paths that do not exist: they would be written. */
  readonly missing: readonly string[];
  /** Paths with another text, changed by hand or made by an earlier init: they are kept. */
  readonly kept: readonly string[];
  /** SQL files that the folder lacks beside its own ones: they are not written. */
  readonly lacking: readonly string[];
}

/** True if something is at a path, also a link that leads nowhere. */
function isTaken(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    // Nothing is there, or no file can be written there: the writing reports that.
    return false;
  }
}

/** True if a path is a file with this text. */
function isFileWith(path: string, text: string): boolean {
  return existsSync(path) && statSync(path).isFile() && readFileSync(path, "utf8") === text;
}

/** `shop.example/` → null, `https://shop.example/` → `https://shop.example`: an address as the configuration has it. */
export function readSiteAddress(text: string): string | null {
  const url = URL.parse(text.trim());
  const isPlain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  return isPlain && /^https?:$/.test(url.protocol) ? url.href.replace(/\/+$/, "") : null;
}

/** As {@link readSiteAddress}; the API's path may be left out. */
export function readApiAddress(text: string): string | null {
  const address = readSiteAddress(text);
  return address === null || address.endsWith(API_PATH) ? address : address + API_PATH;
}
