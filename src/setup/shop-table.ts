/** The shops that Vitrine knows, as data: how each is recognised, the settings that change what is public, and what can be chosen. */
import type { Dialect } from "./schema.ts";

export interface Shop {
  /** Folder below `templates/shops`. */
  readonly name: string;
  readonly title: string;
  readonly dialect: Dialect;
  /** The prefix of tables in the files; a shop may have another. */
  readonly prefix: string;
  /** Tables, without the prefix, by which the shop is recognised. */
  readonly tables: readonly string[];
  readonly settings?: readonly Setting[];
  /** What the shop has several of, in the order in which a person is asked. */
  readonly choices?: readonly Choice[];
}

/** A setting of the shop that changes what is public. */
export interface Setting {
  /** Name without its prefix: the setting is only read if this table exists. */
  readonly table?: string;
  /** Gives a row with one column `held`, not NULL, if the setting is on. */
  readonly sql: string;
  /** The change to the SQL files if it is on. */
  readonly change?: { readonly from: string; readonly to: string };
  /** What `init` says if it is on; `$1` is the value of `held`. */
  readonly note?: string;
}

/** What can be chosen, in words for messages. The name of a kind is its flag's: `priceList` is `--price-list`. */
export const CHOICE_WORDS = {
  channel: ["channel", "channels"],
  storefront: ["storefront", "storefronts"],
  website: ["website", "websites"],
  language: ["language", "languages"],
  currency: ["currency", "currencies"],
  region: ["region", "regions"],
  priceList: ["price list", "price lists"],
  customerGroup: ["customer group", "customer groups"],
  taxZone: ["tax zone", "tax zones"],
  warehouse: ["warehouse", "warehouses"],
  rootCategory: ["root category", "root categories"],
} as const satisfies Readonly<Record<string, readonly [one: string, several: string]>>;

export type ChoiceKind = keyof typeof CHOICE_WORDS;

/** A choice of a shop, as data. The SQL is in the shop's dialect, with the tables' usual prefix. */
export interface Choice {
  readonly kind: ChoiceKind;
  /** Tables without their prefix: without them, there is nothing to choose. */
  readonly tables?: readonly string[];
  /**
   * All candidates: `code`, by which one is named, unique; `name`, for people; `value`, as the view has it. Several rows with
   * one code are one candidate with several values. May use the shop's views.
   */
  readonly candidates: string;
  /** View of `_views.sql` with one column: the values that are public. As shipped, it says what the shop itself takes. */
  readonly view: string;
  /** The view's SELECT for another candidate; `$1` is a list of its values, as literals. */
  readonly select: string;
  /** Gives a row, `held`, if the shop itself decides for what the view says; without it, the shop always does. May use the views. */
  readonly decided?: string;
  /** Why the view takes what it takes. Completes "The channel is Shop: …". */
  readonly because: string;
}

/** For any shop on WordPress: languages of products, as two plugins keep them. */
function languageSettings(type: string): readonly Setting[] {
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
      // The same in changed.sql.
      table: "icl_translations",
      sql: "SELECT 1 AS held",
      change: {
        from: ") AS h\n",
        to: `) AS h
CROSS JOIN (
  SELECT COUNT(*) AS texts, SUM(CRC32(CRC32(CONCAT_WS('|', i.element_id, i.language_code, i.trid)))) AS texts_rows
  FROM wp_icl_translations AS i
  WHERE i.element_type IN ('post_${type}', 'post_post')
) AS i
`,
      },
    },
  ];
}

/** The language of a shop on WordPress. */
function languageChoice(type: string): Choice {
  return {
    kind: "language",
    candidates: `SELECT DISTINCT t.code AS code, t.code AS name, t.code AS value
      FROM translations AS t JOIN wp_posts AS p ON p.ID = t.post_id AND p.post_type = '${type}' AND p.post_status = 'publish'
      ORDER BY code`,
    view: "shown_language",
    select: "SELECT CONVERT($1 USING utf8mb4) COLLATE utf8mb4_bin",
    because: "it is the site's default",
  };
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

const MEDUSA_TEXTS = ["title", "subtitle", "description", "name"]
  .map(
    (field) =>
      `CASE WHEN t.translations ->> '${field}' ~ '[^[:space:]]' THEN t.translations ->> '${field}' END`,
  )
  .join(",\n    ");

/** For a Medusa with the module of translations: its table is read. */
const MEDUSA_TRANSLATIONS: readonly Setting[] = [
  {
    from: "  SELECT NULL::text, NULL::text, NULL::text, NULL::text, NULL::text\n  WHERE FALSE\n",
    to: `  SELECT
    t.reference_id,
    ${MEDUSA_TEXTS}
  FROM translation AS t
  JOIN chosen_language AS c ON c.code = t.locale_code
  WHERE t.deleted_at IS NULL
`,
  },
  { from: "SELECT p.*, v.*, a.*,", to: "SELECT x.*, p.*, v.*, a.*," },
  {
    from: ") AS p\nCROSS JOIN (",
    to: `) AS p
CROSS JOIN (
  SELECT
    COUNT(*) AS texts, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', x.id, x.updated_at, x.deleted_at), 0)) AS texts_rows
  FROM translation AS x
) AS x
CROSS JOIN (`,
  },
].map((change) => ({ table: "translation", sql: "SELECT 1 AS held", change }));

/** What WooCommerce and its plugins compute for each visitor: the files have the entered prices. */
const WOOCOMMERCE_PRICES: readonly Setting[] = [
  {
    sql: `SELECT CASE MAX(CASE WHEN o.option_name = 'woocommerce_tax_display_shop' THEN o.option_value END)
        WHEN 'incl' THEN CASE MAX(CASE WHEN o.option_name = 'woocommerce_prices_include_tax' THEN o.option_value END) WHEN 'yes' THEN NULL ELSE 'with' END
        WHEN 'excl' THEN CASE MAX(CASE WHEN o.option_name = 'woocommerce_prices_include_tax' THEN o.option_value END) WHEN 'yes' THEN 'without' END
      END AS held
      FROM wp_options AS o
      WHERE o.option_name IN ('woocommerce_tax_display_shop', 'woocommerce_prices_include_tax')
        AND EXISTS (SELECT 1 FROM wp_options AS t WHERE t.option_name = 'woocommerce_calc_taxes' AND t.option_value = 'yes')`,
    note:
      "The shop shows prices $1 tax, but they are entered the other way, and become public as entered. " +
      "For one tax rate, change costs of queries/_views.sql.",
  },
  {
    sql: `SELECT GROUP_CONCAT(CASE o.option_name WHEN 'woocs' THEN 'FOX' WHEN 'woo_multi_currency_params' THEN 'CURCY'
        WHEN 'wc_aelia_currency_switcher' THEN 'Aelia Currency Switcher' ELSE 'WooCommerce Multilingual' END SEPARATOR ', ') AS held
      FROM wp_options AS o
      WHERE o.option_name IN ('woocs', 'woo_multi_currency_params', 'wc_aelia_currency_switcher')
        OR (o.option_name = '_wcml_settings' AND o.option_value REGEXP '"enable_multi_currency";(i:2|s:1:"2")')`,
    note: "$1 may show prices in several currencies. Only those in the shop's own currency become public.",
  },
];

export const SHOPS: readonly Shop[] = [
  {
    name: "woocommerce",
    title: "WooCommerce",
    dialect: "mysql",
    prefix: "wp_",
    tables: ["wc_product_meta_lookup", "posts", "postmeta", "term_taxonomy", "comments", "options"],
    settings: [...languageSettings("product"), ...MEMBER_SETTINGS, ...WOOCOMMERCE_PRICES],
    choices: [languageChoice("product")],
  },
  {
    name: "edd",
    title: "Easy Digital Downloads",
    dialect: "mysql",
    prefix: "wp_",
    tables: ["edd_customers", "posts", "postmeta", "term_taxonomy", "comments", "options"],
    settings: [...languageSettings("download"), ...MEMBER_SETTINGS],
    choices: [languageChoice("download")],
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
    choices: [
      {
        kind: "storefront",
        candidates: `SELECT h.id_shop AS code, h.name AS name, h.id_shop AS value FROM ps_shop AS h
          WHERE h.active = 1 ORDER BY h.id_shop`,
        view: "chosen_shop",
        select: "SELECT h.id_shop FROM ps_shop AS h WHERE h.id_shop IN ($1)",
        because: "it is the default shop",
      },
      {
        kind: "language",
        tables: ["lang", "lang_shop"],
        candidates: `SELECT l.iso_code AS code, l.name AS name, l.id_lang AS value FROM ps_lang AS l
          JOIN ps_lang_shop AS s ON s.id_lang = l.id_lang JOIN chosen_shop AS c ON c.id = s.id_shop
          WHERE l.active = 1 ORDER BY l.id_lang`,
        view: "chosen_language",
        select: "SELECT l.id_lang FROM ps_lang AS l WHERE l.id_lang IN ($1)",
        because: "it is the shop's default",
      },
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
    choices: [
      {
        kind: "storefront",
        candidates: `SELECT 0 AS code, COALESCE((SELECT REPLACE(o.value, '&amp;', '&') FROM oc_setting AS o
            WHERE o.store_id = 0 AND o.\`key\` = 'config_name' LIMIT 1), '0') AS name, 0 AS value
          UNION ALL SELECT s.store_id, REPLACE(s.name, '&amp;', '&'), s.store_id FROM oc_store AS s ORDER BY value`,
        view: "chosen_store",
        select: "SELECT CAST($1 AS SIGNED)",
        because: "it is the default store",
      },
      {
        kind: "language",
        candidates: `SELECT l.code AS code, l.name AS name, l.code AS value FROM oc_language AS l
          WHERE l.status = 1 ORDER BY l.language_id`,
        view: "chosen_language",
        select: "SELECT l.code FROM oc_language AS l WHERE l.code IN ($1)",
        because: "it is the store's for visitors",
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
    choices: [
      {
        kind: "storefront",
        candidates: `SELECT t.code AS code, CONCAT(w.name, ', ', t.name) AS name, t.store_id AS value
          FROM mage_core_store AS t JOIN mage_core_website AS w ON w.website_id = t.website_id
          WHERE t.store_id <> 0 AND t.is_active = 1 ORDER BY t.store_id`,
        view: "chosen_store",
        select: "SELECT t.store_id FROM mage_core_store AS t WHERE t.store_id IN ($1)",
        because: "it is the default store of the default website",
      },
    ],
  },
  {
    name: "medusa",
    title: "Medusa 2",
    dialect: "postgres",
    prefix: "",
    tables: ["product_variant_price_set", "product_sales_channel", "price_list", "store_currency"],
    settings: MEDUSA_TRANSLATIONS,
    choices: [
      {
        kind: "channel",
        // A key may be for several channels: they are one candidate.
        candidates: `SELECT n.id AS code, n.name AS name, n.id AS value FROM sales_channel AS n WHERE n.deleted_at IS NULL
          UNION ALL
          SELECT k.channels, (SELECT string_agg(n.name, ' + ' ORDER BY n.id) FROM sales_channel AS n
            WHERE n.id = ANY (string_to_array(k.channels, '+'))), v.id
          FROM (SELECT DISTINCT c.channels FROM key_channels AS c WHERE c.channels LIKE '%+%') AS k
          CROSS JOIN unnest(string_to_array(k.channels, '+')) AS v (id)
          ORDER BY name, code`,
        view: "chosen_channels",
        select: "SELECT n.id FROM sales_channel AS n WHERE n.id IN ($1)",
        decided:
          "SELECT MIN(c.channels) AS held FROM key_channels AS c HAVING COUNT(DISTINCT c.channels) = 1",
        because: "the storefront's publishable key is for it",
      },
      {
        kind: "region",
        candidates: `SELECT r.id AS code, CONCAT(r.name, ' ', UPPER(r.currency_code)) AS name, r.id AS value FROM region AS r
          WHERE r.deleted_at IS NULL ORDER BY r.created_at, r.id`,
        view: "chosen_region",
        select: "SELECT r.id FROM region AS r WHERE r.id IN ($1)",
        decided: `SELECT MIN(r.id) AS held FROM store AS s JOIN region AS r ON r.deleted_at IS NULL
          LEFT JOIN store_currency AS c ON c.store_id = s.id AND c.is_default AND c.deleted_at IS NULL
          WHERE s.deleted_at IS NULL
          HAVING BOOL_OR(r.id = s.default_region_id) OR COUNT(*) = 1 OR COUNT(*) FILTER (WHERE r.currency_code = c.currency_code) = 1`,
        because: "it is the store's default one, or the one with the store's default currency",
      },
      {
        kind: "language",
        tables: ["translation"],
        candidates: `SELECT 'default' AS code, 'default' AS name, '' AS value
          UNION ALL
          SELECT DISTINCT t.locale_code, t.locale_code, t.locale_code FROM translation AS t
          JOIN product AS p ON p.id = t.reference_id WHERE t.deleted_at IS NULL ORDER BY code`,
        view: "chosen_language",
        select: "SELECT $1",
        because: "a visitor who asks for no locale sees it",
      },
    ],
  },
  {
    name: "saleor",
    title: "Saleor",
    dialect: "postgres",
    prefix: "",
    tables: ["product_productchannellisting", "product_productvariantchannellisting", "channel_channel"],
    settings: [
      {
        table: "tax_taxconfiguration",
        sql: `SELECT STRING_AGG(c.slug, ', ' ORDER BY c.id) AS held
          FROM tax_taxconfiguration AS t JOIN channel_channel AS c ON c.id = t.channel_id AND c.is_active
          WHERE t.charge_taxes AND t.tax_calculation_strategy = 'FLAT_RATES' AND t.prices_entered_with_tax <> t.display_gross_prices`,
        note:
          "Saleor adds or takes off tax before it shows prices in the channels $1. The files have prices as they were entered: " +
          "change price and sale_price in queries/products.sql if visitors see others.",
      },
    ],
    choices: [
      {
        kind: "channel",
        candidates: `SELECT c.slug AS code, c.name AS name, c.slug AS value FROM channel_channel AS c
          WHERE c.is_active ORDER BY c.id`,
        view: "chosen_channel",
        select: "SELECT c.slug FROM channel_channel AS c WHERE c.slug IN ($1)",
        decided:
          "SELECT c.slug AS held FROM channel_channel AS c WHERE c.is_active AND c.slug = 'default-channel'",
        because: "it is the one that Saleor makes first, its default",
      },
    ],
  },
  {
    name: "vendure",
    title: "Vendure",
    dialect: "postgres",
    prefix: "",
    tables: ["product_variant_price", "product_channels_channel", "collection_closure", "global_settings"],
    settings: [
      {
        sql: `SELECT STRING_AGG(r.rates, '; ') AS held FROM (
          SELECT CONCAT(k.name, ' in ', z.name, ': ', STRING_AGG(CONCAT(r.name, ' (', r.value, ' %)'), ', ' ORDER BY r.ctid)) AS rates
          FROM tax_rate AS r JOIN tax_category AS k ON k.id = r."categoryId" JOIN zone AS z ON z.id = r."zoneId"
          WHERE r.enabled GROUP BY k.id, k.name, z.id, z.name HAVING COUNT(*) > 1
        ) AS r`,
        note:
          "Several tax rates are on for one category and zone: $1. Vendure takes the first that it reads, and so do the files; saving " +
          "a rate may change all prices. Turn the others off in Vendure.",
      },
    ],
    choices: [
      {
        kind: "channel",
        candidates: "SELECT c.code AS code, c.code AS name, c.code AS value FROM channel AS c ORDER BY c.id",
        view: "chosen_channel",
        select: "SELECT c.code FROM channel AS c WHERE c.code IN ($1)",
        because: "it is the default one, which has the products of all channels, those for resellers as well",
      },
      {
        kind: "language",
        candidates: `SELECT DISTINCT l.code AS code, l.code AS name, l.code AS value FROM channel AS c
          JOIN chosen_channel AS h ON h.code = c.code
          CROSS JOIN unnest(string_to_array(CONCAT_WS(',', c."defaultLanguageCode", c."availableLanguageCodes"), ',')) AS l (code)
          WHERE EXISTS (SELECT 1 FROM product_translation AS t WHERE t."languageCode" = l.code) ORDER BY code`,
        view: "chosen_language",
        select: "SELECT c.code FROM (VALUES ($1)) AS c (code)",
        because: "it is the channel's default",
      },
      {
        kind: "currency",
        candidates: `SELECT DISTINCT p."currencyCode" AS code, p."currencyCode" AS name, p."currencyCode" AS value
          FROM product_variant_price AS p
          JOIN channel AS c ON c.id = p."channelId"
          JOIN chosen_channel AS h ON h.code = c.code
          WHERE p."currencyCode" = ANY (string_to_array(CONCAT_WS(',', c."defaultCurrencyCode", c."availableCurrencyCodes"), ','))
          ORDER BY code`,
        view: "chosen_currency",
        select: "SELECT c.code FROM (VALUES ($1)) AS c (code)",
        because: "it is the channel's default",
      },
      {
        kind: "taxZone",
        candidates: `SELECT z.id AS code, z.name AS name, z.id AS value FROM zone AS z
          WHERE EXISTS (SELECT 1 FROM tax_rate AS r WHERE r.enabled AND r."zoneId" = z.id)
            AND EXISTS (SELECT 1 FROM channel AS c JOIN chosen_channel AS h ON h.code = c.code WHERE NOT c."pricesIncludeTax")
          ORDER BY z.id`,
        view: "chosen_tax_zone",
        select: "SELECT z.id FROM zone AS z WHERE z.id IN ($1)",
        because: "it is the channel's default, for visitors without an address",
      },
    ],
  },
];
