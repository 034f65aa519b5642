/** The shops that Vitrine has an allow-list for, and how one is recognised by its tables. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { templateFolder } from "../package.ts";
import type { Dialect, Schema } from "./schema.ts";

interface Shop {
  /** Folder below `templates/shops`. */
  readonly name: string;
  readonly title: string;
  readonly dialect: Dialect;
  /** What stands before the names of tables in the files; a shop may have another. */
  readonly prefix: string;
  /** Tables, without the prefix, that only this shop has together. */
  readonly tables: readonly string[];
}

const SHOPS: readonly Shop[] = [
  {
    ...{ name: "woocommerce", title: "WooCommerce", dialect: "mysql", prefix: "wp_" },
    tables: ["wc_product_meta_lookup", "posts", "postmeta", "term_taxonomy", "comments", "options"],
  },
  {
    ...{ name: "edd", title: "Easy Digital Downloads", dialect: "mysql", prefix: "wp_" },
    tables: ["edd_customers", "posts", "postmeta", "term_taxonomy", "comments", "options"],
  },
  {
    ...{ name: "prestashop", title: "PrestaShop", dialect: "mysql", prefix: "ps_" },
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
    ...{ name: "opencart", title: "OpenCart", dialect: "mysql", prefix: "oc_" },
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
    ...{ name: "medusa", title: "Medusa 2", dialect: "postgres", prefix: "" },
    tables: ["product_variant_price_set", "product_sales_channel", "price_list", "store_currency"],
  },
  {
    ...{ name: "saleor", title: "Saleor", dialect: "postgres", prefix: "" },
    tables: ["product_productchannellisting", "product_productvariantchannellisting", "channel_channel"],
  },
];

export const SHOP_NAMES: readonly string[] = SHOPS.map(({ name }) => name);

export interface FoundShop {
  readonly shop: Shop;
  readonly prefix: string;
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

/** The shop's SQL files by name, with its own prefix. */
export function filesOfShop({ shop, prefix }: FoundShop): ReadonlyMap<string, string> {
  const folder = join(templateFolder("shops"), shop.name, "queries");
  const files = readdirSync(folder).map((file) => {
    const sql = readFileSync(join(folder, file), "utf8");
    const known = new RegExp(`\\b${shop.prefix}(?=[a-z])`, "g");
    return [file, shop.prefix === "" ? sql : sql.replace(known, prefix)] as const;
  });
  return new Map(files);
}

/** The shop's page: what is public and why, what is left out, what is to be looked at. */
export function pageOfShop({ shop }: FoundShop): string {
  return readFileSync(join(templateFolder("shops"), shop.name, "README.md"), "utf8");
}
