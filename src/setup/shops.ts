/** The shops that Vitrine has an allow-list for, and how one is recognised by its tables. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { templateFolder } from "../package.ts";
import type { Dialect, Schema } from "./schema.ts";

/** One of a shop's own settings that changes what is public. */
interface Setting {
  /** Without this table, whose prefix is not named, the setting is not asked for. */
  readonly table?: string;
  /** Gives a row, of one column `held` that is not NULL, where it is set. */
  readonly sql: string;
  /** What the files then have, and what it replaces. */
  readonly change?: { readonly from: string; readonly to: string };
  /** What `init` then says; `$1` is what the SQL gave. */
  readonly note?: string;
}

const LANGUAGE_NOTE =
  "The shop has products in several languages: $1. One language is public, the site's default; each product is in it once. " +
  "For another, write its code in shown_language of queries/_views.sql, and build that into a folder of its own with --out.";

/** Of WordPress, whichever shop it has: languages of products, as two plugins keep them. */
function languageSettings(type: string): readonly Setting[] {
  const said = (code: string) => `CASE WHEN COUNT(DISTINCT ${code}) > 1 THEN
    GROUP_CONCAT(DISTINCT ${code} ORDER BY ${code} SEPARATOR ', ') END AS held`;
  return [
    {
      table: "icl_translations",
      sql: "SELECT 1 AS held",
      change: {
        from: "  WHERE x.taxonomy = 'language'\n",
        to: `  WHERE x.taxonomy = 'language'
  UNION ALL
  SELECT i.element_id, CONVERT(i.language_code USING utf8mb4) COLLATE utf8mb4_bin, CONCAT('wpml ', i.trid)
  FROM wp_icl_translations AS i
  WHERE i.element_type IN ('post_${type}', 'post_post')
`,
      },
    },
    {
      table: "icl_translations",
      sql: `SELECT ${said("i.language_code")} FROM wp_icl_translations AS i WHERE i.element_type = 'post_${type}'`,
      note: LANGUAGE_NOTE,
    },
    {
      sql: `SELECT ${said("t.slug")} FROM wp_terms AS t
        JOIN wp_term_taxonomy AS x ON x.term_id = t.term_id AND x.taxonomy = 'language'
        JOIN wp_term_relationships AS r ON r.term_taxonomy_id = x.term_taxonomy_id
        JOIN wp_posts AS p ON p.ID = r.object_id AND p.post_type = '${type}'`,
      note: LANGUAGE_NOTE,
    },
  ];
}

const RESTRICTED = "  WHERE o.option_name = 'rcp_restricted_post_types'\n";
const MEMBERS_NOTE =
  "The site has rules of $1 about what members alone see, and Vitrine does not read them: what they hide would be public. " +
  "Before you publish, leave it out in members_only of queries/_views.sql; queries/README.md says how.";

/** Of WordPress: posts that membership plugins show to members alone, and plugins whose rules the files do not read. */
const MEMBER_SETTINGS: readonly Setting[] = [
  {
    table: "pmpro_memberships_pages",
    sql: "SELECT 1 AS held",
    change: {
      from: RESTRICTED,
      to: `${RESTRICTED}  UNION
  SELECT g.page_id FROM wp_pmpro_memberships_pages AS g
  UNION
  SELECT r.object_id
  FROM wp_pmpro_memberships_categories AS g
  JOIN wp_term_taxonomy AS x ON x.term_id = g.category_id
  JOIN wp_term_relationships AS r ON r.term_taxonomy_id = x.term_taxonomy_id
`,
    },
  },
  ...[
    { table: "mepr_rule_access_conditions", plugin: "MemberPress" },
    { table: "wlm_contentlevels", plugin: "WishList Member" },
    { table: "swpm_membership_tbl", plugin: "Simple Membership" },
  ].map(({ table, plugin }) => ({
    table,
    sql: `SELECT '${plugin}' AS held FROM wp_${table} LIMIT 1`,
    note: MEMBERS_NOTE,
  })),
  {
    sql: `SELECT 'WooCommerce Memberships' AS held FROM wp_options
      WHERE option_name = 'wc_memberships_rules' AND option_value REGEXP '(content|product)_restriction'`,
    note: MEMBERS_NOTE,
  },
  {
    sql: "SELECT 's2Member' AS held FROM wp_options WHERE option_name = 'ws_plugin__s2member_options'",
    note: MEMBERS_NOTE,
  },
];

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
        change: { from: "'exclude-from-search')", to: "'exclude-from-search', 'outofstock')" },
      },
      ...languageSettings("product"),
      ...MEMBER_SETTINGS,
    ],
  },
  {
    name: "edd",
    title: "Easy Digital Downloads",
    dialect: "mysql",
    prefix: "wp_",
    tables: ["edd_customers", "posts", "postmeta", "term_taxonomy", "comments", "options"],
    settings: [...languageSettings("download"), ...MEMBER_SETTINGS],
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
/**
 * The shop's SQL files by name, with its own prefix and as its settings make them, and what is to be said of those; of one of its
 * channels. `held` asks the store for a setting: null where it is not set.
 */
export async function filesOfShop(
  { shop, prefix }: FoundShop,
  schema: Schema,
  held: (sql: string) => Promise<string | null>,
  channel: string | null = null,
): Promise<{ readonly files: ReadonlyMap<string, string>; readonly notes: string[] }> {
  const known = new RegExp(`\\b${shop.prefix}(?=[a-z])`, "g");
  const ours = (sql: string) => (shop.prefix === "" ? sql : sql.replace(known, prefix));
  const changes: NonNullable<Setting["change"]>[] = [];
  const notes: string[] = [];
  for (const { table, sql, change, note } of shop.settings ?? []) {
    if (table !== undefined && !schema.has(prefix + table)) continue;
    const value = await held(ours(sql));
    if (value === null) continue;
    if (change !== undefined) changes.push({ from: change.from, to: ours(change.to) });
    if (note !== undefined) notes.push(note.replace("$1", () => value));
  }
  const folder = join(templateFolder("shops"), shop.name, "queries");
  const files = readdirSync(folder).map((file) => {
    const sql = ours(readFileSync(join(folder, file), "utf8"));
    const made = changes.reduce((text, { from, to }) => text.replaceAll(from, to), sql);
    const { channels } = shop;
    if (channels === undefined || channel === null) return [file, made] as const;
    return [file, made.replaceAll(quoteText(channels.main), () => quoteText(channel))] as const;
  });
  return { files: new Map(files), notes };
}

/** The shop's page: what is public and why, what is left out, what is to be looked at. */
export function pageOfShop({ shop }: FoundShop): string {
  return readFileSync(join(templateFolder("shops"), shop.name, "README.md"), "utf8");
}
