/** The shops that Vitrine has an allow-list for, and how one is recognised by its tables. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { templateFolder } from "../package.ts";
import type { Dialect, Schema } from "./schema.ts";

/** One of a shop's own settings that changes what is public. */
interface Setting {
  /** Gives a row, of one column `held`, where it is set. */
  readonly sql: string;
  /** What then stands in the files, and in whose place. */
  readonly from: string;
  readonly to: string;
}

/** Channels of a shop: each has its own products and prices. */
interface Channels {
  /** Gives the code of each, of one column `held`. */
  readonly sql: string;
  /** Code of the one that the files are written for. */
  readonly main: string;
  /** What that one has. */
  readonly note: string;
}

interface Shop {
  /** Folder below `templates/shops`. */
  readonly name: string;
  readonly title: string;
  readonly dialect: Dialect;
  /** What stands before the names of tables in the files; a shop may have another. */
  readonly prefix: string;
  /** Tables, without the prefix, that only this shop has together. */
  readonly tables: readonly string[];
  readonly settings?: readonly Setting[];
  readonly channels?: Channels;
}

const SHOPS: readonly Shop[] = [
  {
    name: "woocommerce",
    title: "WooCommerce",
    dialect: "mysql",
    prefix: "wp_",
    tables: ["wc_product_meta_lookup", "posts", "postmeta", "term_taxonomy", "comments", "options"],
    settings: [
      {
        sql: `SELECT option_value AS held FROM wp_options
          WHERE option_name = 'woocommerce_hide_out_of_stock_items' AND option_value = 'yes'`,
        from: "'exclude-from-search')",
        to: "'exclude-from-search', 'outofstock')",
      },
    ],
  },
  {
    name: "edd",
    title: "Easy Digital Downloads",
    dialect: "mysql",
    prefix: "wp_",
    tables: ["edd_customers", "posts", "postmeta", "term_taxonomy", "comments", "options"],
  },
  {
    name: "prestashop",
    title: "PrestaShop",
    dialect: "mysql",
    prefix: "ps_",
    tables: [
      "product_shop",
      "product_lang",
      "specific_price",
      "category_group",
      "configuration",
      "image_shop",
    ],
  },
  {
    name: "opencart",
    title: "OpenCart",
    dialect: "mysql",
    prefix: "oc_",
    tables: [
      "product_to_store",
      "product_description",
      "product_to_category",
      "category_to_store",
      "category_path",
      "setting",
    ],
  },
  {
    name: "magento",
    title: "Magento 1 (OpenMage, Maho)",
    dialect: "mysql",
    prefix: "mage_",
    tables: [
      "catalog_product_entity_group_price",
      "catalog_product_entity",
      "catalog_product_website",
      "core_store",
      "core_config_data",
      "eav_attribute",
    ],
  },
  {
    name: "medusa",
    title: "Medusa 2",
    dialect: "postgres",
    prefix: "",
    tables: ["product_variant_price_set", "product_sales_channel", "price_list", "store_currency"],
  },
  {
    name: "saleor",
    title: "Saleor",
    dialect: "postgres",
    prefix: "",
    tables: ["product_productchannellisting", "product_productvariantchannellisting", "channel_channel"],
  },
  {
    name: "vendure",
    title: "Vendure",
    dialect: "postgres",
    prefix: "",
    tables: ["product_variant_price", "product_channels_channel", "collection_closure", "global_settings"],
    channels: {
      sql: "SELECT c.code AS held FROM channel AS c ORDER BY c.id",
      main: "__default_channel__",
      note: "it has the products of all channels, those for resellers as well",
    },
  },
];

export const SHOP_NAMES: readonly string[] = SHOPS.map(({ name }) => name);

export interface FoundShop {
  readonly shop: Shop;
  readonly prefix: string;
}

/** A text as SQL writes it. */
function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** All that a store may be: several in one WordPress. */
export function recogniseShops(schema: Schema, dialect: Dialect): readonly FoundShop[] {
  return SHOPS.filter((shop) => shop.dialect === dialect).flatMap((shop) => {
    const [mark = "", ...others] = shop.tables;
    const prefixes = [...schema.keys()]
      .filter((table) => table.endsWith(mark) && (shop.prefix !== "" || table === mark))
      .map((table) => table.slice(0, -mark.length));
    return prefixes
      .filter((prefix) => others.every((table) => schema.has(prefix + table)))
      .map((prefix) => ({ shop, prefix }));
  });
}

/** Says that a store of no known shop is a WordPress: its posts and comments look like much, and are no products. */
export function wordPressNote(schema: Schema): string | null {
  const isThere = [...schema.keys()].some(
    (table) =>
      table.endsWith("options") &&
      ["posts", "postmeta", "term_taxonomy", "comments"].every((each) =>
        schema.has(table.slice(0, -"options".length) + each),
      ),
  );
  return isThere
    ? "This is a WordPress without a shop: neither WooCommerce's nor Easy Digital Downloads' tables are in it."
    : null;
}

/**
 * The shop's SQL files by name, with its own prefix and as its settings make them, of which `isSet` asks the store; of one of
 * its channels.
 */
export async function filesOfShop(
  { shop, prefix }: FoundShop,
  isSet: (sql: string) => Promise<boolean>,
  channel: string | null = null,
): Promise<ReadonlyMap<string, string>> {
  const known = new RegExp(`\\b${shop.prefix}(?=[a-z])`, "g");
  const ours = (sql: string) => (shop.prefix === "" ? sql : sql.replace(known, prefix));
  const set: Setting[] = [];
  for (const setting of shop.settings ?? []) if (await isSet(ours(setting.sql))) set.push(setting);
  const folder = join(templateFolder("shops"), shop.name, "queries");
  const files = readdirSync(folder).map((file) => {
    const sql = ours(readFileSync(join(folder, file), "utf8"));
    const made = set.reduce((text, { from, to }) => text.replaceAll(from, to), sql);
    const { channels } = shop;
    if (channels === undefined || channel === null) return [file, made] as const;
    return [file, made.replaceAll(quoteText(channels.main), () => quoteText(channel))] as const;
  });
  return new Map(files);
}

/** The shop's page: what is public and why, what is left out, what is to be looked at. */
export function pageOfShop({ shop }: FoundShop): string {
  return readFileSync(join(templateFolder("shops"), shop.name, "README.md"), "utf8");
}
