/** A new project for a store: its configuration, its allow-list, and a page that says what is public. Looks, then writes. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { VitrineError } from "./base/error.ts";
import { temporaryFolder } from "./base/temporary-folder.ts";
import { toSqlTime } from "./base/time.ts";
import { CONFIG_FILE } from "./config/inputs.ts";
import { readAllowList } from "./extract/allow-list.ts";
import { fitAllowList } from "./extract/fit.ts";
import { type StoreReader, valuesOf } from "./extract/store.ts";
import { isServerAddress } from "./extract/stores/address.ts";
import { privacyPage } from "./init/privacy.ts";
import { proposeFiles } from "./init/propose.ts";
import { type Dialect, dialectOf, readSchema, type Schema } from "./init/schema.ts";
import { type FoundShop, filesOfShop, pageOfShop, recogniseShops, SHOPS } from "./init/shops.ts";
import { openStore } from "./open-store.ts";

const SHOP_NAMES: readonly string[] = SHOPS.map(({ name }) => name);

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
}

export interface InitPlan {
  /** Name of the shop that was recognised; null where the files are guesses. */
  readonly shop: string | null;
  /** All that the store may be. */
  readonly candidates: readonly string[];
  readonly tables: number;
  /** Texts by path, relative to the folder. */
  readonly files: ReadonlyMap<string, string>;
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

function sqlFor(schema: Schema, dialect: Dialect, shop: FoundShop | null): ReadonlyMap<string, string> {
  const files = shop === null ? proposeFiles(schema, dialect) : filesOfShop(shop);
  if (files !== null) return files;
  throw new VitrineError(
    "usage",
    `None of the store's ${schema.size} tables looks like products: one with a whole number as its key, a name and a price. ` +
      "Write the SQL files yourself (docs/allow-list.md), with examples/chinook as a model.",
  );
}

/** Asks the store by its own store.sql where its site is; undefined where it does not say. */
async function siteOf(store: StoreReader, files: ReadonlyMap<string, string>): Promise<string | undefined> {
  await using folder = await temporaryFolder();
  for (const [file, sql] of files) writeFileSync(join(folder.path, file), sql);
  const query = (await fitAllowList(store, readAllowList(folder.path)))["store"];
  if (query === undefined) return undefined;
  const place = query.columns?.indexOf("public_url") ?? -1;
  let address: unknown;
  for await (const rows of store.batches(query)) for (const row of rows) address = valuesOf(row)[place];
  const url = URL.parse(String(address));
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.origin : undefined;
}

function configText({ store, folder, baseUrl }: InitOptions, siteUrl: string): string {
  const place = isServerAddress(store) ? store : relative(folder, resolve(store));
  const config = {
    $schema: "./node_modules/vitrine/vitrine.config.schema.json",
    ...{ store: place, queries: "queries", out: "out" },
    ...{ baseUrl: baseUrl ?? `${HERE}/api/v1`, siteUrl },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Looks at a store and says which files would be written. @throws VitrineError store_unreadable, usage, allow_list_invalid */
export async function planInit(options: InitOptions): Promise<InitPlan> {
  const dialect = dialectOf(options.store);
  const store = await openStore(options.store, toSqlTime(new Date()));
  try {
    const schema = await readSchema(store, dialect);
    const found = recogniseShops(schema, dialect);
    const shop = chooseShop(found, options.shop);
    const sql = sqlFor(schema, dialect, shop);
    const siteUrl = options.siteUrl ?? (await siteOf(store, sql)) ?? HERE;
    const files = new Map([[CONFIG_FILE, configText(options, siteUrl)]]);
    for (const [file, text] of sql) files.set(join("queries", file), text);
    files.set("PRIVACY.md", privacyPage(schema, sql, shop === null ? null : pageOfShop(shop)));
    const candidates = found.map((each) => each.shop.title);
    return { shop: shop?.shop.title ?? null, candidates, tables: schema.size, files };
  } finally {
    await store.close();
  }
}

/** Writes the files of a plan, all or none. @throws VitrineError usage where one is there already */
export function writeInit(folder: string, { files }: InitPlan): void {
  const there = [...files.keys()].filter((file) => existsSync(join(folder, file)));
  if (there.length > 0)
    throw new VitrineError(
      "usage",
      `${there.join(", ")} stand there already, and nothing is overwritten. Nothing was written.`,
    );
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text, { flag: "wx" });
  }
}
