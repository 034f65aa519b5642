/** The shops that Vitrine knows: their allow-lists, and how they are recognised by their tables. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { templateFolder } from "../package.ts";
import type { Dialect, Schema } from "./schema.ts";

/** A setting of the shop that changes what is public. */
interface Setting {
  /** Name without its prefix: the setting is only read if this table exists. */
  readonly table?: string;
  /** Gives a row with one column `held`, not NULL, if the setting is on. */
  readonly sql: string;
  /** The change to the SQL files if it is on. */
  readonly change?: { readonly from: string; readonly to: string };
  /** What `init` says if it is on; `$1` is the value of `held`. */
  readonly note?: string;
}

const LANGUAGE_NOTE =
  "The shop has products in several languages: $1. Only the site's default language becomes public, with each product once. " +
  "For another language, write its code in shown_language of queries/_views.sql, and build it into a separate folder with --out.";

/** For any shop on WordPress: languages of products, as two plugins keep them. */
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
  "The site has rules of $1 that show content to members only. Vitrine does not read them: hidden content would become public. " +
  "Before you publish, leave it out in members_only of queries/_views.sql; queries/README.md shows how.";

/** For WordPress: posts that membership plugins show to members only, and plugins whose rules the files do not read. */
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
  /** Gives the codes, in one column `held`. */
  readonly sql: string;
  /** Code of the channel that the files are written for. */
  readonly main: string;
  /** Its content. */
  readonly note: string;
}

interface Shop {
  /** Folder below `templates/shops`. */
  readonly name: string;
  readonly title: string;
  readonly dialect: Dialect;
  /** The prefix of tables in the files; a shop may have another. */
  readonly prefix: string;
  /** Tables, without the prefix, by which the shop is recognised. */
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
    settings: [
      {
        // OpenCart 3 and 4.0: special prices in a table, and prices only.
        sql: `SELECT 1 AS held WHERE NOT EXISTS (SELECT 1 FROM information_schema.columns
          WHERE table_schema = DATABASE() AND table_name = 'oc_product_discount' AND column_name = 'special')`,
        change: {
          from: `d.special, d.priority, d.price, d.type, d.date_start, d.date_end
  FROM oc_product_discount AS d
  JOIN settings AS s ON s.visitors = d.customer_group_id
  WHERE d.quantity = 1
`,
          to: `0, d.priority, d.price, 'F', d.date_start, d.date_end
  FROM oc_product_discount AS d
  JOIN settings AS s ON s.visitors = d.customer_group_id
  WHERE d.quantity = 1
  UNION ALL
  SELECT d.product_special_id, d.product_id, 1, d.priority, d.price, 'F', d.date_start, d.date_end
  FROM oc_product_special AS d
  JOIN settings AS s ON s.visitors = d.customer_group_id
`,
        },
      },
      {
        // OpenCart 3.
        sql: `SELECT 1 AS held WHERE NOT EXISTS (SELECT 1 FROM information_schema.columns
          WHERE table_schema = DATABASE() AND table_name = 'oc_product' AND column_name = 'master_id')`,
        change: { from: " AND NOT (f.is_special = 1 AND f.price = 0)", to: "" },
      },
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

/** A text as an SQL literal. */
function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** All shops that a store may be: one WordPress may have several. */
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

/** A note if a store without a known shop is a WordPress: it has many posts and comments, but no products. */
export function wordPressNote(schema: Schema): string | null {
  const isThere = [...schema.keys()].some(
    (table) =>
      table.endsWith("options") &&
      ["posts", "postmeta", "term_taxonomy", "comments"].every((each) =>
        schema.has(table.slice(0, -"options".length) + each),
      ),
  );
  return isThere
    ? "This is a WordPress without a shop: it has no tables of WooCommerce or Easy Digital Downloads."
    : null;
}

/**
 * The shop's SQL files by name, with its prefix, changed by its settings, for one of its channels; and notes about the settings.
 * `held` asks the store for a setting: null if it is off.
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

/** The shop's page: what becomes public and why, what is left out, what to check. */
export function pageOfShop({ shop }: FoundShop): string {
  return readFileSync(join(templateFolder("shops"), shop.name, "README.md"), "utf8");
}
