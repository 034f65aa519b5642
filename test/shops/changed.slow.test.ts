/**
 * The `changed.sql` of real shops, on tables that their own code made if there is a dump of them: a shop's writes for a price,
 * for a product that is added, removed or hidden, and for a review change the row; those for a session and an order do not.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyStore } from "../../scripts/seed/copy-store.ts";
import type { SqlFiles } from "../../src/setup/shops.ts";
import { askStore } from "../../src/store/open.ts";
import { ChangedRow } from "../../src/store/probe.ts";
import { dumpOf } from "../support/dump.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { sharedStore, temporaryFolder } from "../support/shop.ts";
import { createSqliteDatabase } from "../support/sqlite.ts";
import { filesFromInit } from "./files-from-init.ts";

const folder = temporaryFolder();

interface Server {
  readonly create: () => Promise<TestDatabase>;
  readonly missing: string | null;
}

const MARIADB: Server = { create: createMariadbDatabase, missing: MARIADB_MISSING };
const POSTGRES: Server = { create: createPostgresDatabase, missing: POSTGRES_MISSING };

interface Shop {
  readonly name: string;
  readonly server: Server;
  readonly queries: string;
  /** The files; without it those of the folder. */
  readonly files?: () => Promise<SqlFiles>;
  /** Replaces a text of the files: the tables' prefix by that of the dump, or what `init` writes for a choice or a plugin. */
  readonly change?: readonly [from: string, to: string];
  readonly make: (database: TestDatabase) => Promise<unknown>;
  /** The shop's writes, by the user's action. */
  readonly edits: Readonly<Record<string, string>>;
  /** Tables with two columns, a key and what rows exchange, and maybe a condition on the rows. */
  readonly exchanges: readonly (readonly [table: string, key: string, value: string, rows?: string])[];
  /** Its writes that change no answer. */
  readonly others: Readonly<Record<string, string>>;
}

const filesOf = (queries: string): SqlFiles =>
  new Map(readdirSync(queries).map((file) => [file, readFileSync(join(queries, file), "utf8")]));
const dump = (name: string) => (database: TestDatabase) => database.run(dumpOf(name));
const seed = (name: string) => (database: TestDatabase) =>
  database.run(readFileSync(`templates/shops/${name}/seed.sql`, "utf8"));

const shop = (name: string, server: Server, rest: Omit<Shop, "name" | "server" | "queries">): Shop => ({
  name,
  server,
  queries: `templates/shops/${name}/queries`,
  ...rest,
});

const SAVED = "post_modified = NOW(), post_modified_gmt = UTC_TIMESTAMP()";
/** The first product of a WordPress. */
const first = (type: string) =>
  `(SELECT id FROM (SELECT MIN(ID) AS id FROM wp_posts WHERE post_type = '${type}' AND post_status = 'publish') AS f)`;
const wordPress = (type: string): Shop["edits"] => ({
  "a new product": `INSERT INTO wp_posts (post_content, post_title, post_excerpt, post_name, post_type, post_status, to_ping, pinged, post_content_filtered, ${SAVED.replaceAll(/ = [^,]+/g, "")})
    VALUES ('', 'New', '', 'new', '${type}', 'publish', '', '', '', NOW(), UTC_TIMESTAMP())`,
  "a hidden product": `UPDATE wp_posts SET post_status = 'draft', ${SAVED} WHERE ID = ${first(type)}`,
  "a review": `INSERT INTO wp_comments (comment_post_ID, comment_author, comment_content, comment_approved, comment_type)
      VALUES (${first(type)}, 'Ada', 'Good.', '1', 'review');
    UPDATE wp_posts SET comment_count = comment_count + 1 WHERE ID = ${first(type)}`,
  "a renamed category": `UPDATE wp_terms SET name = 'Renamed' WHERE term_id =
    (SELECT MIN(term_id) FROM wp_term_taxonomy WHERE taxonomy IN ('product_cat', 'download_category'))`,
  "a rule of a membership plugin": `INSERT INTO wp_postmeta (post_id, meta_key, meta_value)
    VALUES (${first(type)}, '_members_access_role', 'customer')`,
  "a pair of translations": `INSERT INTO wp_terms (term_id, name, slug) VALUES (99999, 'pll', 'pll');
    INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES (99999, 99999, 'post_translations', '');
    INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (${first(type)}, 99999)`,
  "another name of the site": "UPDATE wp_options SET option_value = 'Renamed' WHERE option_name = 'blogname'",
});
const withWpml = (name: string, type: string): Shop => ({
  ...shop(name, MARIADB, {
    make: async (database) => {
      await dump(name)(database);
      await database.run(`CREATE TABLE wp_icl_translations (translation_id BIGINT AUTO_INCREMENT PRIMARY KEY, element_type VARCHAR(60),
        element_id BIGINT, trid BIGINT, language_code VARCHAR(7));
        INSERT INTO wp_icl_translations (element_type, element_id, trid, language_code) VALUES ('post_${type}', 1, 1, 'en'), ('post_${type}', 2, 2, 'de')`);
    },
    files: async () => (await filesFromInit(name, new Map([["wp_icl_translations", []]]))).files,
    edits: {
      "a language": "UPDATE wp_icl_translations SET language_code = 'fr' WHERE element_id = 2",
      "a pair of translations": "UPDATE wp_icl_translations SET trid = 1 WHERE element_id = 2",
    },
    exchanges: [["wp_icl_translations", "element_id", "language_code"]],
    others: {},
  }),
  name: `${name} with WPML`,
});
const WORDPRESS_OTHERS = {
  "an order's note": `INSERT INTO wp_comments (comment_post_ID, comment_author, comment_content, comment_approved, comment_type)
    VALUES (999999, 'WooCommerce', 'Paid.', '1', 'order_note')`,
  "a transient":
    "INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('_transient_x', '1', 'off')",
  "an order that is a post": `INSERT INTO wp_posts (post_content, post_title, post_excerpt, post_type, post_status, to_ping, pinged, post_content_filtered)
    VALUES ('', 'Order', '', 'shop_order', 'wc-completed', '', '', '')`,
};

const inTaxonomy = (name: string) =>
  `term_taxonomy_id IN (SELECT term_taxonomy_id FROM wp_term_taxonomy WHERE taxonomy = '${name}')`;

const MEDUSA_SAVED = "updated_at = now()";
const VENDURE_SAVED = `"updatedAt" = now()`;

const SHOPS: readonly Shop[] = [
  shop("woocommerce", MARIADB, {
    make: dump("woocommerce"),
    edits: {
      "a price": `UPDATE wp_postmeta SET meta_value = '48' WHERE meta_key = '_regular_price' AND post_id = ${first("product")};
        UPDATE wp_posts SET ${SAVED} WHERE ID = ${first("product")}`,
      "a price that an import writes": `UPDATE wp_wc_product_meta_lookup SET min_price = 47, max_price = 47 WHERE product_id = ${first("product")}`,
      "a price that plain SQL writes": `UPDATE wp_postmeta SET meta_value = '46' WHERE meta_key = '_price' AND post_id = ${first("product")}`,
      "a stock that plain SQL writes": `UPDATE wp_postmeta SET meta_value = 'onbackorder' WHERE meta_key = '_stock_status' AND post_id = ${first("product")}`,
      "showing products that are sold out":
        "UPDATE wp_options SET option_value = 'no' WHERE option_name = 'woocommerce_hide_out_of_stock_items'",
      ...wordPress("product"),
    },
    exchanges: [
      ["wp_term_relationships", "object_id", "term_taxonomy_id", inTaxonomy("product_cat")],
      ["wp_wc_product_meta_lookup", "product_id", "min_price"],
      ["wp_postmeta", "post_id", "meta_value", "meta_key = '_price'"],
    ],
    others: {
      ...WORDPRESS_OTHERS,
      "a sale":
        "UPDATE wp_wc_product_meta_lookup SET total_sales = total_sales + 1, stock_quantity = stock_quantity - 1",
      "an order": "INSERT INTO wp_wc_orders (id, status) VALUES (999999, 'wc-processing')",
    },
  }),
  shop("edd", MARIADB, {
    make: dump("edd"),
    edits: {
      "a price": `UPDATE wp_postmeta SET meta_value = '48' WHERE meta_key = 'edd_price' AND post_id = ${first("download")};
        UPDATE wp_posts SET ${SAVED} WHERE ID = ${first("download")}`,
      ...wordPress("download"),
      "a review that the extension approves":
        "INSERT INTO wp_commentmeta (comment_id, meta_key, meta_value) VALUES (99999, 'edd_review_approved', '1')",
    },
    exchanges: [
      ["wp_term_relationships", "object_id", "term_taxonomy_id", inTaxonomy("download_category")],
      ["wp_posts", "ID", "post_status", "post_type = 'download'"],
    ],
    others: {
      ...WORDPRESS_OTHERS,
      "an order": "INSERT INTO wp_edd_orders (status, type) VALUES ('complete', 'sale')",
    },
  }),
  withWpml("woocommerce", "product"),
  withWpml("edd", "download"),
  shop("prestashop", MARIADB, {
    make: dump("prestashop"),
    edits: {
      "a price": "UPDATE ps_product_shop SET price = price + 1, date_upd = NOW() ORDER BY id_product LIMIT 1",
      "a new product": `INSERT INTO ps_product (id_supplier, id_manufacturer, id_category_default, id_tax_rules_group, date_add, date_upd, state) VALUES (0, 0, 2, 0, NOW(), NOW(), 1);
        INSERT INTO ps_product_shop (id_product, id_shop, id_category_default, id_tax_rules_group, active, date_add, date_upd) VALUES (LAST_INSERT_ID(), 1, 2, 0, 1, NOW(), NOW())`,
      "a hidden product": "UPDATE ps_product_shop SET active = 0 WHERE active = 1 LIMIT 1",
      "a review": `INSERT INTO ps_product_comment (id_product, id_customer, id_guest, title, content, customer_name, grade, validate, deleted, date_add)
        VALUES (1, 0, 0, 'T', 'C', 'Ada', 5, 1, 0, NOW())`,
      "an approved review": "UPDATE ps_product_comment SET validate = 1 - validate LIMIT 1",
      "a discount": `INSERT INTO ps_specific_price (id_specific_price_rule, id_cart, id_product, id_shop, id_shop_group, id_currency, id_country, id_group, id_customer, id_product_attribute, price, from_quantity, reduction, reduction_type, \`from\`, \`to\`)
        VALUES (0, 0, 1, 0, 0, 0, 0, 0, 0, 0, -1, 1, 0.3, 'percentage', '2026-01-01', '2027-01-01')`,
      "a renamed category": "UPDATE ps_category_lang SET name = 'Renamed' LIMIT 1",
      "a discount for another group":
        "UPDATE ps_specific_price SET id_group = 3 - id_group ORDER BY id_specific_price LIMIT 1",
      "a combination": `INSERT INTO ps_product_attribute_shop (id_product, id_product_attribute, id_shop, price, default_on)
        VALUES (1, 999, 1, 5, 1)`,
      "a tax": "UPDATE ps_tax SET rate = rate + 1 WHERE id_tax = 1",
      "what visitors get off": "UPDATE ps_group SET reduction = 5 WHERE id_group = 1",
      "what visitors get off a product":
        "INSERT INTO ps_product_group_reduction_cache (id_product, id_group, reduction) VALUES (1, 1, 0.5)",
      "an order of discounts":
        "INSERT INTO ps_specific_price_priority (id_product, priority) VALUES (1, 'id_currency;id_group')",
      "digits of a currency": "UPDATE ps_currency SET `precision` = 1",
      "a picture": `INSERT INTO ps_image (id_image, id_product, position) VALUES (901, 1, 1), (902, 1, 2);
        INSERT INTO ps_image_shop (id_image, id_product, id_shop, cover) VALUES (901, 1, 1, 1), (902, 1, 1, NULL)`,
      "another cover": `UPDATE ps_image_shop SET cover = NULL WHERE id_image = 901;
        UPDATE ps_image_shop SET cover = 1 WHERE id_image = 902`,
      "a category that leaves the shop": "DELETE FROM ps_category_shop ORDER BY id_category DESC LIMIT 1",
      "another group of the shop": "UPDATE ps_shop SET id_shop_group = id_shop_group + 1",
      "the catalog mode": "UPDATE ps_configuration SET value = '1' WHERE name = 'PS_CATALOG_MODE'",
    },
    exchanges: [
      ["ps_category_product", "id_product", "id_category"],
      ["ps_product_shop", "id_product", "price"],
      ["ps_product_shop", "id_product", "active"],
    ],
    others: {
      "an order": "UPDATE ps_stock_available SET quantity = quantity - 1",
      "a cart":
        "INSERT INTO ps_cart (id_carrier, delivery_option, id_lang, id_address_delivery, id_address_invoice, id_currency, id_customer, id_guest, secure_key, date_add, date_upd) VALUES (0, '', 1, 0, 0, 1, 0, 0, '', NOW(), NOW())",
    },
  }),
  {
    ...shop("prestashop", MARIADB, {
      make: dump("prestashop"),
      // The shop's language is another view than the setting that it is read from.
      change: [
        "SELECT CAST(o.value AS SIGNED) FROM options AS o WHERE o.name = 'PS_LANG_DEFAULT'",
        "SELECT l.id_lang FROM ps_lang AS l WHERE l.id_lang IN (1)",
      ],
      edits: { "the removal of the language": "DELETE FROM ps_lang WHERE id_lang = 1" },
      exchanges: [],
      others: {},
    }),
    name: "prestashop with a chosen language",
  },
  shop("opencart", MARIADB, {
    make: seed("opencart"),
    edits: {
      "a price": "UPDATE oc_product SET price = price + 1, date_modified = NOW() ORDER BY product_id LIMIT 1",
      "digits of a currency": "UPDATE oc_currency SET decimal_place = '3' WHERE code = 'USD'",
      "a new product": "INSERT INTO oc_product (product_id, price, date_modified) VALUES (999, 5, NOW())",
      "a hidden product":
        "UPDATE oc_product SET status = 0, date_modified = NOW() WHERE status = 1 ORDER BY product_id LIMIT 1",
      "a review":
        "INSERT INTO oc_review (review_id, product_id, author, text, rating, status) VALUES (999, 50, 'Ada', 'Good.', 5, 1)",
      "a moved product":
        "UPDATE oc_product_to_category SET category_id = category_id + 900 ORDER BY product_id LIMIT 1",
      "a renamed category": "UPDATE oc_category_description SET name = 'Renamed' LIMIT 1",
      "a category that leaves the store": "DELETE FROM oc_category_to_store WHERE category_id = 21",
      "a discount": `INSERT INTO oc_product_discount (product_discount_id, product_id, customer_group_id, quantity, price, type, special)
        VALUES (997, 41, 7, 1, 2, 'F', 0), (998, 40, 1, 1, 3, 'F', 0)`,
      "a special price":
        "UPDATE oc_product_discount SET price = price - 1 WHERE special = 1 AND customer_group_id = 1 AND quantity = 1",
      "the last day of a discount":
        "UPDATE oc_product_discount SET date_end = '2027-01-01' WHERE product_discount_id = 998",
      "another group of visitors":
        "UPDATE oc_setting SET value = '7' WHERE `key` = 'config_customer_group_id'",
      "another number of a language": "UPDATE oc_language SET language_id = 9 WHERE code = 'en-gb'",
    },
    exchanges: [
      ["oc_product_to_category", "product_id", "category_id"],
      ["oc_product", "product_id", "status"],
      ["oc_product", "product_id", "price"],
      ["oc_product_discount", "product_discount_id", "price", "quantity = 1 AND customer_group_id = 7"],
    ],
    others: {
      "an order": `UPDATE oc_product SET quantity = quantity - 1;
        INSERT INTO oc_order_product (order_product_id, order_id, product_id, name, price) VALUES (999, 1, 50, 'x', 1)`,
      "a discount for many pieces": "UPDATE oc_product_discount SET price = price - 1 WHERE quantity = 12",
      "a setting of a store that is not public": "UPDATE oc_setting SET value = 'Renamed' WHERE store_id = 1",
    },
  }),
  {
    ...shop("opencart", MARIADB, {
      make: seed("opencart"),
      change: ["  SELECT 0\n", "  SELECT CAST(1 AS SIGNED)\n"],
      edits: {
        "another name of the chosen store":
          "UPDATE oc_setting SET value = 'Renamed' WHERE store_id = 1 AND `key` = 'config_name'",
        "its language":
          "INSERT INTO oc_setting (store_id, code, `key`, value) VALUES (1, 'config', 'config_language_catalog', 'de-de')",
        "its maintenance":
          "INSERT INTO oc_setting (store_id, code, `key`, value) VALUES (1, 'config', 'config_maintenance', '1')",
        "a currency that it has from the default store":
          "UPDATE oc_setting SET value = 'JPY' WHERE store_id = 0 AND `key` = 'config_currency'",
      },
      exchanges: [],
      others: {},
    }),
    name: "opencart with another store",
  },
  shop("magento", MARIADB, {
    make: dump("magento"),
    change: ["mage_", ""],
    edits: {
      "a price": `UPDATE catalog_product_entity_decimal SET value = value + 1 ORDER BY value_id LIMIT 1;
        UPDATE catalog_product_entity SET updated_at = NOW() ORDER BY entity_id LIMIT 1`,
      "a new product":
        "INSERT INTO catalog_product_entity (entity_type_id, attribute_set_id, type_id, sku, created_at, updated_at) VALUES (4, 4, 'simple', 'new', NOW(), NOW())",
      "a price of a rule":
        "INSERT INTO catalogrule_product_price (rule_date, customer_group_id, product_id, rule_price, website_id) SELECT CURDATE(), 0, MIN(entity_id), 1, 1 FROM catalog_product_entity",
      "an approved review": "UPDATE review SET status_id = 3 - status_id LIMIT 1",
      "a minimum advertised price":
        "UPDATE core_config_data SET value = '0' WHERE path = 'sales/msrp/enabled'",
      "a tier price for one piece":
        "UPDATE catalog_product_entity_tier_price SET value = value - 1 WHERE qty = 1 ORDER BY value_id LIMIT 1",
      "a price of the group of visitors":
        "UPDATE catalog_product_entity_group_price SET value = value - 1 WHERE customer_group_id = 0 ORDER BY value_id LIMIT 1",
      "prices by website":
        "INSERT INTO core_config_data (scope, scope_id, path, value) VALUES ('default', 0, 'catalog/price/scope', '1')",
      "a review for another store": "UPDATE review_store SET store_id = 2 LIMIT 1",
      "a store that is off": "UPDATE core_store SET is_active = 0 WHERE store_id = 1",
      "another default store": "UPDATE core_store_group SET default_store_id = 2 WHERE group_id = 1",
      "another name of the website": "UPDATE core_website SET name = 'Renamed' WHERE website_id = 1",
      "a part of a grouped product":
        "INSERT INTO catalog_product_relation (parent_id, child_id) VALUES (29, 1)",
      "a moved category": "UPDATE catalog_category_entity SET updated_at = NOW() + INTERVAL 1 MINUTE LIMIT 1",
    },
    exchanges: [
      ["catalog_category_product", "product_id", "category_id"],
      ["cataloginventory_stock_status", "product_id", "stock_status"],
      ["catalog_product_index_price", "entity_id", "final_price", "customer_group_id = 0"],
      ["catalog_product_entity_tier_price", "entity_id", "value", "qty = 1 AND all_groups = 1"],
    ],
    others: {
      "a tier price for many pieces":
        "UPDATE catalog_product_entity_tier_price SET value = value - 1 WHERE qty > 1",
      "a price of another group":
        "UPDATE catalog_product_entity_group_price SET value = value - 1 WHERE customer_group_id = 2",
      "an order": "UPDATE cataloginventory_stock_item SET qty = qty - 1",
    },
  }),
  shop("medusa", POSTGRES, {
    make: dump("medusa"),
    edits: {
      "a price": `UPDATE price SET amount = amount + 1, ${MEDUSA_SAVED} WHERE id = (SELECT MIN(id) FROM price)`,
      "a hidden product": `UPDATE product SET status = 'draft', ${MEDUSA_SAVED} WHERE id = (SELECT MIN(id) FROM product WHERE status = 'published')`,
      "a new product":
        "INSERT INTO product (id, title, handle, status) VALUES ('prod_new', 'New', 'new', 'published')",
      "a removed product": "UPDATE product SET deleted_at = now() WHERE id = 'prod_new'",
      "a moved product": `UPDATE product_category_product SET product_category_id = (SELECT MAX(id) FROM product_category)
        WHERE product_category_id = (SELECT MIN(product_category_id) FROM product_category_product)`,
      "a renamed category": `UPDATE product_category SET name = 'Renamed', ${MEDUSA_SAVED} WHERE id = (SELECT MIN(id) FROM product_category)`,
      "a price for a region":
        "INSERT INTO price_rule (id, price_id, attribute, value) SELECT 'pr_new', MIN(id), 'region_id', 'reg_x' FROM price",
      "a rule of a list": `UPDATE price_list_rule SET value = '["reg_x"]', ${MEDUSA_SAVED} WHERE id = (SELECT MIN(id) FROM price_list_rule)`,
      "another default region": `UPDATE store SET default_region_id = (SELECT MAX(id) FROM region), ${MEDUSA_SAVED}`,
      "a revoked key":
        "UPDATE api_key SET revoked_at = now() WHERE type = 'publishable' AND title LIKE 'CNRY%'",
      "a channel of a key":
        "INSERT INTO publishable_api_key_sales_channel (publishable_key_id, sales_channel_id, id) SELECT MIN(id), 'sc_x', 'x' FROM api_key",
    },
    others: {
      "a cart": "INSERT INTO cart (id, currency_code) VALUES ('cart_1', 'eur')",
      "a key that is used": `UPDATE api_key SET last_used_at = now(), ${MEDUSA_SAVED}`,
    },
    exchanges: [["product_category_product", "product_id", "product_category_id"]],
  }),
  shop("saleor", POSTGRES, {
    make: seed("saleor"),
    edits: {
      "a price":
        "UPDATE product_productvariantchannellisting SET price_amount = price_amount + 1 WHERE id = 1",
      "a hidden product": "UPDATE product_productchannellisting SET is_published = FALSE WHERE id = 1",
      "a new product":
        "INSERT INTO product_product (id, name, slug, updated_at) VALUES (999, 'New', 'new', now())",
      "a text":
        "UPDATE product_product SET name = 'Renamed', updated_at = now() + INTERVAL '1 minute' WHERE id = 1",
      "a renamed category": "UPDATE product_category SET name = 'Renamed' WHERE id = 1",
    },
    exchanges: [
      ["product_productvariantchannellisting", "id", "price_amount"],
      ["product_productchannellisting", "id", "is_published"],
      ["product_productmedia", "id", "sort_order"],
    ],
    others: {
      "an order":
        "INSERT INTO order_order (id, user_email) VALUES (999, 'a@b.example'); UPDATE warehouse_stock SET quantity = 1",
    },
  }),
  shop("vendure", POSTGRES, {
    make: dump("vendure"),
    edits: {
      "a price": `UPDATE product_variant_price SET price = price + 1, ${VENDURE_SAVED} WHERE id = (SELECT MIN(id) FROM product_variant_price)`,
      "a hidden product": `UPDATE product SET enabled = FALSE, ${VENDURE_SAVED} WHERE id = (SELECT MIN(id) FROM product WHERE enabled)`,
      "a new product": "INSERT INTO product (enabled) VALUES (TRUE)",
      "a text": `UPDATE product_translation SET name = 'Renamed', "updatedAt" = now() + INTERVAL '1 minute' WHERE id = (SELECT MIN(id) FROM product_translation)`,
      "a moved variant": `DELETE FROM collection_product_variants_product_variant WHERE "collectionId" =
        (SELECT MIN("collectionId") FROM collection_product_variants_product_variant)`,
    },
    exchanges: [
      ["collection_product_variants_product_variant", '"productVariantId"', '"collectionId"'],
      ["product_variant_price", "id", "price"],
    ],
    others: {
      "a session": `INSERT INTO session (token, expires, invalidated, type) VALUES ('t', now(), FALSE, 'AnonymousSession')`,
      stock: `UPDATE stock_level SET "stockAllocated" = "stockAllocated" + 1`,
    },
  }),
  ...(
    [
      [
        "SQLite",
        { create: () => createSqliteDatabase(sharedStore(150)), missing: null },
        "templates/queries",
        null,
      ],
      ["MariaDB", MARIADB, "templates/queries-mysql", "mysql"],
      ["PostgreSQL", POSTGRES, "templates/queries-postgres", "postgres"],
    ] as const
  ).map(
    ([name, server, queries, kind]): Shop => ({
      name: `the demo in ${name}`,
      server,
      queries,
      make: async (database) => kind !== null && copyStore(sharedStore(150), { kind, run: database.run }),
      edits: {
        "a price": "UPDATE products SET regular_price_minor = regular_price_minor + 1 WHERE id = 1",
        "a text": "UPDATE products SET name = 'Renamed', updated_at = '2026-12-31 00:00:00' WHERE id = 1",
        "a hidden product":
          "UPDATE products SET visibility = 'hidden' WHERE id = (SELECT id FROM (SELECT MIN(id) AS id FROM products WHERE status = 'published' AND visibility = 'visible' AND deleted_at IS NULL) AS f)",
        "a removed product": "DELETE FROM product_categories WHERE product_id = 2",
        "a sale":
          "UPDATE sale_windows SET sale_price_minor = COALESCE(sale_price_minor, 100) + 1, percent = NULL WHERE id = 1",
        "a sale of another product": "UPDATE sale_windows SET product_id = product_id + 1 WHERE id = 1",
        "a sale for some customers": "UPDATE sale_windows SET target_segment = 'vip' WHERE id = 1",
        "the last day of a preorder": "UPDATE preorders SET closes_at = '2027-01-01 00:00:00'",
        "another kind of a thread":
          "UPDATE threads SET type = CASE type WHEN 'idea' THEN 'bug' ELSE 'idea' END WHERE id = (SELECT id FROM (SELECT MIN(id) AS id FROM threads) AS f)",
        "a rejected review":
          "UPDATE reviews SET status = 'rejected' WHERE id = (SELECT id FROM (SELECT MIN(id) AS id FROM reviews WHERE status = 'approved') AS f)",
        "a yanked release":
          "UPDATE releases SET status = 'yanked' WHERE id = (SELECT id FROM (SELECT MIN(id) AS id FROM releases WHERE status = 'listed') AS f)",
        "a renamed category": "UPDATE categories SET name = 'Renamed' WHERE id = 1",
        "another name of the shop": "UPDATE store_settings SET name = 'Renamed'",
        "an answer in the forum":
          "DELETE FROM posts WHERE id = (SELECT id FROM (SELECT MAX(id) AS id FROM posts WHERE id NOT IN (SELECT solved_post_id FROM threads WHERE solved_post_id IS NOT NULL)) AS f)",
      },
      exchanges: [
        ["product_categories", "product_id", "category_id"],
        ["license_tiers", "id", "price_minor"],
        ["reviews", "product_id", "created_at", "status = 'approved'"],
      ],
      others: {
        "an order": `UPDATE orders SET total = total + 1; UPDATE products SET stock_qty = 1, sales_count = 7, revenue_minor = 9`,
        "a session": "INSERT INTO sessions (id) VALUES ('new')",
      },
    }),
  ),
];

describe.each(SHOPS.filter(({ server }) => server.missing === null))("changed.sql of $name", (shop) => {
  let database: TestDatabase;
  let writer: Awaited<ReturnType<TestDatabase["another"]>>;
  let changed: ChangedRow;
  const queries = join(folder, shop.name.replaceAll(" ", "-"));

  beforeAll(async () => {
    mkdirSync(queries);
    const [from, to] = shop.change ?? ["", ""];
    for (const [file, sql] of (await shop.files?.()) ?? filesOf(shop.queries))
      writeFileSync(join(queries, file), sql.replaceAll(from === "" ? /$^/g : from, to));
    database = await shop.server.create();
    await shop.make(database);
    // A dump leaves changed settings in the connection that ran it.
    writer = await database.another();
    changed = new ChangedRow({ store: database.address, queries });
  });
  afterAll(async () => {
    await changed.close();
    await writer.close();
    await database.close();
  });

  it.each(Object.entries(shop.edits))("changes after %s", async (_, sql) => {
    const before = await changed.ask();
    expect(await changed.ask()).toBe(before);
    await writer.run(sql);
    expect(await changed.ask()).not.toBe(before);
  });

  it.each(shop.exchanges)(
    "changes after two rows of %s exchange what is theirs by %s: %s",
    async (...exchange) => {
      const [table, key, value, rows = "1 = 1"] = exchange;
      const found = await askStore(database.address, (ask) =>
        ask(`SELECT ${key} AS k, ${value} AS v FROM ${table} WHERE ${rows} ORDER BY 1, 2`),
      );
      const known = new Set(found.map(String));
      const pairs = found.flatMap(([key, value]) =>
        found
          .filter(
            (other) =>
              other[0] !== key &&
              other[1] !== value &&
              ![
                [key, other[1]],
                [other[0], value],
              ].some((row) => known.has(String(row))),
          )
          .map((other) => [[key, value], other] as const),
      );
      const [one, two] = pairs[0] ?? [];
      if (one === undefined || two === undefined) throw new Error(`${table} has no two rows to exchange`);
      const before = await changed.ask();
      for (const [{ 0: id, 1: old }, { 1: given }] of [
        [one, two],
        [two, one],
      ] as const)
        await writer.run(
          `UPDATE ${table} SET ${value} = '${given}' WHERE (${rows}) AND ${key} = '${id}' AND ${value} = '${old}'`,
        );
      expect(await changed.ask()).not.toBe(before);
    },
  );

  it.each(Object.entries(shop.others))("does not change after %s", async (_, sql) => {
    const before = await changed.ask();
    await writer.run(sql);
    expect(await changed.ask()).toBe(before);
  });
});

it("reads reviews, releases and posts of the demo from indexes only", async () => {
  const sql = readFileSync("templates/queries/changed.sql", "utf8");
  const plan = (await askStore(sharedStore(150), (ask) => ask(`EXPLAIN QUERY PLAN ${sql}`))).map((row) =>
    String(row.at(-1)),
  );
  const indexes = {
    r: "reviews_by_product",
    v: "releases_by_product",
    n: "posts_by_thread",
    m: "product_media_by_product",
    t: "license_tiers_by_product",
  };
  for (const [alias, index] of Object.entries(indexes))
    expect(plan).toContain(`SCAN ${alias} USING COVERING INDEX ${index}`);
});
