/** A new project for a store: its configuration, its allow-list, and a page that says what is public. Looks, then writes. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { messageOf, VitrineError } from "../base/error.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import { toSqlTime } from "../base/time.ts";
import { type LeftOut, NOTHING_LEFT_OUT, readProductsLeftOut, refuseNothing } from "../build/left-out.ts";
import { CONFIG_FILE } from "../config/inputs.ts";
import { type AllowList, readAllowList, readLeftOut, unconfirmedOf, VIEWS } from "../extract/allow-list.ts";
import { resolveColumns } from "../extract/columns.ts";
import { type StoreReader, valuesOf } from "../extract/store.ts";
import type { FeedName } from "../feeds/feed.ts";
import { isServerAddress } from "../store/address.ts";
import { openStore } from "../store/open.ts";
import { quoteName } from "../store/sql.ts";
import { type ShownFile, showFile } from "./confirm.ts";
import { findingsOn } from "./findings.ts";
import { PRIVACY_FILE, privacyPage } from "./privacy.ts";
import { proposeFiles } from "./propose.ts";
import { ask, type Dialect, dialectOf, readSchema, type Schema } from "./schema.ts";
import {
  type FoundShop,
  filesOfShop,
  pageOfShop,
  recogniseShops,
  SHOP_NAMES,
  wordPressNote,
} from "./shops.ts";
import { UNCHOSEN } from "./states.ts";
import { BY_HAND, chooseTables, tablesToSample, type Wanted } from "./tables.ts";
import { readSample, type Sample } from "./values.ts";

const HERE = "http://127.0.0.1:8080";

export interface InitOptions {
  /** A file or a server's address. */
  readonly store: string;
  /** Where the files are written. */
  readonly folder: string;
  /** One of {@link SHOP_NAMES}, where the store may be several. */
  readonly shop?: string | undefined;
  readonly siteUrl?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Feeds to turn on. */
  readonly feeds?: readonly FeedName[] | undefined;
  /** Of a store that nobody knows: what is not to be guessed. */
  readonly wanted?: Wanted;
}

export interface InitPlan {
  /** Name of the shop that was recognised; null where the files are guesses. */
  readonly shop: string | null;
  /** All that the store may be. */
  readonly candidates: readonly string[];
  readonly tables: number;
  /** Texts by path, relative to the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** What proposed files give: private. None of a shop that was recognised. */
  readonly shown: readonly ShownFile[];
  /** What proposed files leave out, as they stand. */
  readonly leftOut: LeftOut;
  /** Where a person has to choose: `queries/_views.sql:12`. */
  readonly choices: readonly string[];
  /** Of what nothing is proposed, and why. */
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

/** The SQL files as an allow-list, with the one that says what they leave out. */
async function allowListOf(files: ReadonlyMap<string, string>) {
  await using folder = await temporaryFolder();
  for (const [file, sql] of files) writeFileSync(join(folder.path, file), sql);
  return { list: readAllowList(folder.path, "shown"), leftOut: readLeftOut(folder.path) };
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

function configText({ store, folder, baseUrl, feeds = [] }: InitOptions, siteUrl: string): string {
  const place = isServerAddress(store) ? store : relative(folder, resolve(store));
  const config = {
    $schema: "./node_modules/vitrine/vitrine.config.schema.json",
    ...{ store: place, queries: "queries", out: "out" },
    ...{ baseUrl: baseUrl ?? `${HERE}/api/v1`, siteUrl },
    ...(feeds.length === 0 ? {} : { feeds: Object.fromEntries(feeds.map((name) => [name, true])) }),
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Which tables of no known shop are taken for what; a WordPress is named as one. @throws VitrineError usage */
function tablesOf(schema: Schema, samples: ReadonlyMap<string, Sample>, wanted: Wanted) {
  const note = wordPressNote(schema);
  if (note === null) return chooseTables(schema, samples, wanted);
  try {
    const chosen = chooseTables(schema, samples, wanted);
    return { ...chosen, notes: [note, ...chosen.notes] };
  } catch (error) {
    if (!(error instanceof VitrineError)) throw error;
    throw new VitrineError(error.code, `${note} ${error.message}`, { cause: error });
  }
}

/** What is proposed of a store that nobody knows. */
async function proposalOf(store: StoreReader, schema: Schema, dialect: Dialect, wanted: Wanted) {
  const samples = new Map<string, Sample>();
  for (const { table, columns } of tablesToSample(schema)) {
    const quoted = new Map(columns.map((name) => [name, quoteName(name, dialect)]));
    samples.set(table.name, await readSample(store, quoteName(table.name, dialect), quoted));
  }
  const chosen = tablesOf(schema, samples, wanted);
  const findings = await findingsOn(store, schema, chosen, dialect, wanted);
  return {
    sql: proposeFiles(schema, chosen, dialect, findings),
    notes: [...chosen.notes, ...findings.notes],
  };
}

/** Looks at a store and says which files would be written. @throws VitrineError store_unreadable, usage, allow_list_invalid */
export async function planInit(options: InitOptions): Promise<InitPlan> {
  const dialect = dialectOf(options.store);
  const store = await openStore(options.store, toSqlTime(new Date()));
  try {
    const schema = await readSchema(store, dialect);
    const found = recogniseShops(schema, dialect);
    const shop = chooseShop(found, options.shop);
    const isSet = async (sql: string) => (await ask(store, sql, ["held"])).length > 0;
    const { sql, notes } =
      shop === null
        ? await proposalOf(store, schema, dialect, options.wanted ?? {})
        : { sql: await filesOfShop(shop, isSet), notes: [] };
    const { list, leftOut } = await allowListOf(sql);
    const siteUrl = options.siteUrl ?? (await siteOf(store, list)) ?? HERE;
    const files = new Map([[CONFIG_FILE, configText(options, siteUrl)]]);
    for (const [file, text] of sql) files.set(join("queries", file), text);
    if (shop !== null) files.set(join("queries", "README.md"), pageOfShop(shop));
    files.set(PRIVACY_FILE, await privacyPage(options.store, Object.values(list)));
    const shown: ShownFile[] = [];
    if (shop === null)
      for (const query of Object.values(list)) shown.push(await showFile(store, query, dialect, schema));
    const isTold = shop === null && leftOut !== null;
    const told = isTold ? await readProductsLeftOut(store, leftOut, list["products"]) : NOTHING_LEFT_OUT;
    // What a person has to choose selects nothing yet.
    if (!sql.get(VIEWS)?.includes(UNCHOSEN)) refuseNothing(told, BY_HAND);
    const choices = [...files].flatMap(([file, text]) =>
      (unconfirmedOf(text)?.choices ?? []).map((line) => `${file}:${line}`),
    );
    const candidates = found.map((each) => each.shop.title);
    return {
      shop: shop?.shop.title ?? null,
      candidates,
      tables: schema.size,
      files,
      shown,
      leftOut: told,
      choices,
      notes,
    };
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
      `${there.join(", ")} stand there already, and nothing is overwritten. Nothing was written.`,
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
