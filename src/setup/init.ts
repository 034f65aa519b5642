/** A new project for a store: its configuration, its SQL files, and a page about the store. Looks, then writes. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf, VitrineError } from "../base/error.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import { toSqlTime } from "../base/time.ts";
import { CONFIG_FILE } from "../config/inputs.ts";
import { type AllowList, type AllowListQuery, readAllowList, readClosed } from "../extract/allow-list.ts";
import { reasonClosed, resolveColumns } from "../extract/columns.ts";
import { type StoreReader, valuesOf } from "../extract/store.ts";
import { CONFIG_SCHEMA_FILE } from "../package.ts";
import type { FeedName } from "../site/feeds/report.ts";
import { isServerAddress } from "../store/address.ts";
import { openStore } from "../store/open.ts";
import { PRIVACY_FILE, privacyPage } from "./privacy.ts";
import { ask, countRows, dialectOf, readSchema } from "./schema.ts";
import { SCHEMA_FILE, schemaPage } from "./schema-page.ts";
import {
  type FoundShop,
  filesOfShop,
  pageOfShop,
  recogniseShops,
  SHOP_NAMES,
  wordPressNote,
} from "./shops.ts";
import { skeletons } from "./skeletons.ts";

const HERE = "http://127.0.0.1:8080";

export interface InitOptions {
  /** A file or a server's address. */
  readonly store: string;
  /** Where the files are written. */
  readonly folder: string;
  /** One of {@link SHOP_NAMES}, where the store may be several. */
  readonly shop?: string | undefined;
  /** Code of the channel whose products become public, of a shop that has channels. */
  readonly channel?: string | undefined;
  readonly siteUrl?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Feeds to turn on. */
  readonly feeds?: readonly FeedName[] | undefined;
}

export interface InitPlan {
  /** Name of the shop that was recognised; null where a person writes the queries. */
  readonly shop: string | null;
  readonly tables: number;
  /** Texts by path, relative to the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Codes of the shop's channels. */
  readonly channels: readonly string[];
  /** What else is to be said of the store. */
  readonly notes: readonly string[];
}

function chooseShop(found: readonly FoundShop[], name: string | undefined): FoundShop | null {
  const wanted = name === undefined ? found : found.filter(({ shop }) => shop.name === name);
  const [first = null, second] = wanted;
  if (name !== undefined && first === null)
    throw new VitrineError(
      "usage",
      `The store has not the tables of ${name}. Known are ${SHOP_NAMES.join(", ")}.`,
    );
  if (second === undefined) return first;
  const names = [...new Set(wanted.map(({ shop }) => shop.name))];
  const advice =
    names.length > 1 ? `Name it with --shop ${names.join(" or --shop ")}.` : "It has several sets of tables.";
  throw new VitrineError("usage", `The store may be any of ${names.join(", ")}. ${advice}`);
}

/** The channel that the files are for, of those that the shop has, and what is to be said of it; null where it has none. */
function chooseChannel(
  { shop }: FoundShop,
  codes: readonly string[],
  wanted: string | undefined,
): { readonly channel: string | null; readonly notes: readonly string[] } {
  const { title, channels } = shop;
  if (wanted !== undefined && !codes.includes(wanted)) {
    const known = codes.length === 0 ? "It has none." : `Known are ${codes.join(", ")}.`;
    throw new VitrineError("usage", `${title} has no channel ${wanted} here. ${known}`);
  }
  if (channels === undefined || codes.length < 2 || wanted !== undefined)
    return { channel: wanted ?? null, notes: [] };
  const note =
    `The shop has ${codes.length} channels: ${codes.join(", ")}. The files are for ${channels.main}: ` +
    `${channels.note}. To publish another one, start again in an empty folder with --channel.`;
  return { channel: null, notes: [note] };
}

/** The SQL files as an allow-list, and the one that says whether the shop is closed. */
async function allowListOf(
  files: ReadonlyMap<string, string>,
): Promise<{ readonly list: AllowList; readonly closed: AllowListQuery | null }> {
  await using folder = await temporaryFolder();
  for (const [file, sql] of files) writeFileSync(join(folder.path, file), sql);
  return { list: readAllowList(folder.path), closed: readClosed(folder.path) };
}

/** Asks the store by its own store.sql where its site is; undefined where it does not say. */
async function siteOf(store: StoreReader, list: AllowList): Promise<string | undefined> {
  const { store: query } = await resolveColumns(store, list);
  if (query === undefined) return undefined;
  const place = query.columns?.indexOf("public_url") ?? -1;
  let address: unknown;
  for await (const rows of store.batches(query)) for (const row of rows) address = valuesOf(row)[place];
  const url = URL.parse(String(address));
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.origin : undefined;
}

/** Where editors find the schema: in the packages of the folder or one above it, else where this package is installed. */
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

function configText({ store, folder, baseUrl, feeds = [] }: InitOptions, siteUrl: string): string {
  const place = isServerAddress(store) ? store : relative(folder, resolve(store));
  const config = {
    $schema: schemaFrom(folder),
    store: place,
    queries: "queries",
    out: "out",
    baseUrl: baseUrl ?? `${HERE}/api/v1`,
    siteUrl,
    ...(feeds.length === 0 ? {} : { feeds: Object.fromEntries(feeds.map((name) => [name, true])) }),
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Looks at a store and says which files would be written. @throws VitrineError store_unreadable, usage, allow_list_invalid */
export async function planInit(options: InitOptions): Promise<InitPlan> {
  const dialect = dialectOf(options.store);
  const store = await openStore(options.store, toSqlTime(new Date()));
  try {
    const schema = await readSchema(store, dialect);
    const shop = chooseShop(recogniseShops(schema, dialect), options.shop);
    const files = new Map<string, string>();
    const add = (folder: string, texts: Iterable<readonly [file: string, text: string]>) => {
      for (const [file, text] of texts) files.set(join(folder, file), text);
    };
    if (shop === null) {
      if (options.channel !== undefined)
        throw new VitrineError(
          "usage",
          "--channel is for a shop that has channels; this is none that Vitrine knows.",
        );
      const counts = new Map<string, number | null>();
      for (const table of schema.keys()) counts.set(table, await countRows(store, table, dialect));
      files.set(CONFIG_FILE, configText(options, options.siteUrl ?? HERE));
      files.set(SCHEMA_FILE, schemaPage(schema, counts));
      add("queries", skeletons(dialect));
      const note = wordPressNote(schema);
      return { shop: null, tables: schema.size, files, channels: [], notes: note === null ? [] : [note] };
    }
    const held = async (query: string) => (await ask(store, query, ["held"])).map(([value]) => String(value));
    const channels = shop.shop.channels === undefined ? [] : await held(shop.shop.channels.sql);
    const { channel, notes: channelNotes } = chooseChannel(shop, channels, options.channel);
    const first = async (query: string) => {
      const [[value = null] = []] = await ask(store, query, ["held"]);
      return value === null ? null : String(value);
    };
    const { files: sql, notes: settingNotes } = await filesOfShop(shop, schema, first, channel);
    const { list, closed } = await allowListOf(sql);
    const reason = await reasonClosed(store, closed);
    const closedNotes =
      reason === null ? [] : [`The shop shows visitors nothing: ${reason}. It is built only with --force.`];
    const notes = [...closedNotes, ...channelNotes, ...settingNotes];
    const siteUrl = options.siteUrl ?? (await siteOf(store, list)) ?? HERE;
    files.set(CONFIG_FILE, configText(options, siteUrl));
    add("queries", sql);
    files.set(join("queries", "README.md"), pageOfShop(shop));
    files.set(PRIVACY_FILE, await privacyPage(options.store, Object.values(list)));
    return { shop: shop.shop.title, tables: schema.size, files, channels, notes };
  } finally {
    await store.close();
  }
}

/** True where another text stands there: the same one may be what an init wrote that was cut off. */
function isTaken(file: string, text: string): boolean {
  return existsSync(file) && (!statSync(file).isFile() || readFileSync(file, "utf8") !== text);
}

/** Writes the files of a plan, all or none. @throws VitrineError usage where another is there already */
export function writeInit(folder: string, { files }: InitPlan): void {
  const there = [...files].filter(([file, text]) => isTaken(join(folder, file), text)).map(([file]) => file);
  if (there.length > 0)
    throw new VitrineError(
      "usage",
      `${there.join(", ")} exist already, and nothing is overwritten. Nothing was written.`,
    );
  const made: string[] = [];
  try {
    for (const [file, text] of files) {
      const path = join(folder, file);
      if (existsSync(path)) continue;
      const first = mkdirSync(dirname(path), { recursive: true });
      if (first !== undefined) made.push(first);
      // Whole or not there, wherever a process is killed.
      const part = join(dirname(path), `.${basename(path)}.${process.pid}`);
      made.push(part);
      writeFileSync(part, text, { flag: "wx" });
      renameSync(part, path);
      made.push(path);
    }
  } catch (error) {
    for (const path of made.toReversed()) rmSync(path, { recursive: true, force: true });
    const said = `Cannot write to ${folder}: ${messageOf(error)}. Nothing was left behind.`;
    throw new VitrineError("write_failed", said, { cause: error });
  }
}
