-- The tables of Medusa 2 that the queries read, and some private ones, with rows in every state.
-- CNRY marks what must not become public.
CREATE TABLE store (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, default_sales_channel_id TEXT, default_region_id TEXT,
  metadata JSONB DEFAULT '{"key": "CNRY_metadata"}', deleted_at TIMESTAMPTZ
);
CREATE TABLE store_currency (
  id TEXT PRIMARY KEY, currency_code TEXT NOT NULL, is_default BOOLEAN NOT NULL DEFAULT FALSE, store_id TEXT, deleted_at TIMESTAMPTZ
);
CREATE TABLE sales_channel (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, is_disabled BOOLEAN NOT NULL DEFAULT FALSE, deleted_at TIMESTAMPTZ
);
CREATE TABLE product_category (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL DEFAULT '', handle TEXT NOT NULL, mpath TEXT NOT NULL DEFAULT '',
  is_active BOOLEAN NOT NULL DEFAULT TRUE, is_internal BOOLEAN NOT NULL DEFAULT FALSE, rank INTEGER NOT NULL DEFAULT 0,
  parent_category_id TEXT, metadata JSONB DEFAULT '{"key": "CNRY_metadata"}', deleted_at TIMESTAMPTZ
);
CREATE TABLE product_type (id TEXT PRIMARY KEY, value TEXT NOT NULL, deleted_at TIMESTAMPTZ);
CREATE TABLE product (
  id TEXT PRIMARY KEY, title TEXT NOT NULL, handle TEXT NOT NULL, subtitle TEXT, description TEXT,
  is_giftcard BOOLEAN NOT NULL DEFAULT FALSE, status TEXT NOT NULL DEFAULT 'published', thumbnail TEXT, type_id TEXT,
  external_id TEXT DEFAULT 'CNRY_external', metadata JSONB DEFAULT '{"key": "CNRY_metadata"}',
  created_at TIMESTAMPTZ NOT NULL DEFAULT '2026-01-01 02:00:00.123+02', updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00',
  deleted_at TIMESTAMPTZ
);
CREATE TABLE product_category_product (product_id TEXT NOT NULL, product_category_id TEXT NOT NULL, PRIMARY KEY (product_id, product_category_id));
CREATE TABLE product_sales_channel (
  product_id TEXT NOT NULL, sales_channel_id TEXT NOT NULL, id TEXT DEFAULT 'prodsc', deleted_at TIMESTAMPTZ, PRIMARY KEY (product_id, sales_channel_id)
);
CREATE TABLE image (
  id TEXT PRIMARY KEY, url TEXT NOT NULL, rank INTEGER NOT NULL DEFAULT 0, product_id TEXT NOT NULL,
  metadata JSONB DEFAULT '{"key": "CNRY_metadata"}', deleted_at TIMESTAMPTZ
);
CREATE TABLE product_variant (
  id TEXT PRIMARY KEY, title TEXT NOT NULL DEFAULT 'Default', sku TEXT DEFAULT 'CNRY_sku', product_id TEXT,
  metadata JSONB DEFAULT '{"key": "CNRY_metadata"}', deleted_at TIMESTAMPTZ
);
CREATE TABLE product_variant_price_set (variant_id TEXT NOT NULL, price_set_id TEXT NOT NULL, id TEXT DEFAULT 'pvps', deleted_at TIMESTAMPTZ);
CREATE TABLE price_list (
  id TEXT PRIMARY KEY, title TEXT NOT NULL DEFAULT 'CNRY_title', description TEXT DEFAULT 'CNRY', status TEXT NOT NULL DEFAULT 'active',
  type TEXT NOT NULL DEFAULT 'sale', starts_at TIMESTAMPTZ, ends_at TIMESTAMPTZ, rules_count INTEGER DEFAULT 0, deleted_at TIMESTAMPTZ
);
CREATE TABLE price (
  id TEXT PRIMARY KEY, title TEXT DEFAULT 'CNRY', price_set_id TEXT NOT NULL, currency_code TEXT NOT NULL DEFAULT 'eur',
  amount NUMERIC NOT NULL, min_quantity NUMERIC, max_quantity NUMERIC, rules_count INTEGER DEFAULT 0, price_list_id TEXT, deleted_at TIMESTAMPTZ
);
CREATE TABLE price_rule (
  id TEXT PRIMARY KEY, price_id TEXT NOT NULL, attribute TEXT NOT NULL, operator TEXT NOT NULL DEFAULT 'eq', value TEXT NOT NULL,
  updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00', deleted_at TIMESTAMPTZ
);
CREATE TABLE price_list_rule (
  id TEXT PRIMARY KEY, price_list_id TEXT NOT NULL, attribute TEXT NOT NULL, value JSONB,
  updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00', deleted_at TIMESTAMPTZ
);
CREATE TABLE region (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, currency_code TEXT NOT NULL, metadata JSONB DEFAULT '{"key": "CNRY_metadata"}',
  created_at TIMESTAMPTZ NOT NULL DEFAULT '2026-01-01', updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00', deleted_at TIMESTAMPTZ
);
CREATE TABLE customer (id TEXT PRIMARY KEY, email TEXT, phone TEXT, first_name TEXT);
CREATE TABLE "order" (id TEXT PRIMARY KEY, email TEXT, customer_id TEXT, metadata JSONB);
CREATE TABLE api_key (
  id TEXT PRIMARY KEY, token TEXT, salt TEXT, redacted TEXT, title TEXT, type TEXT NOT NULL, created_at TIMESTAMPTZ NOT NULL DEFAULT '2026-01-01',
  revoked_at TIMESTAMPTZ, deleted_at TIMESTAMPTZ
);
CREATE TABLE publishable_api_key_sales_channel (publishable_key_id TEXT NOT NULL, sales_channel_id TEXT NOT NULL, id TEXT, deleted_at TIMESTAMPTZ);
CREATE TABLE inventory_level (id TEXT PRIMARY KEY, stocked_quantity NUMERIC);

INSERT INTO store (id, name, default_sales_channel_id, default_region_id) VALUES ('store_01', 'Medusa Shop', 'sc_b2b', 'reg_gone');
INSERT INTO store_currency (id, currency_code, is_default, store_id) VALUES ('stocur_1', 'eur', TRUE, 'store_01'), ('stocur_2', 'usd', FALSE, 'store_01');
INSERT INTO sales_channel (id, name) VALUES ('sc_web', 'Web'), ('sc_b2b', 'Trade');
INSERT INTO region (id, name, currency_code, created_at, deleted_at) VALUES ('reg_us', 'America', 'usd', '2025-01-01', NULL),
  ('reg_gone', 'CNRY gone', 'eur', '2025-01-01', '2026-01-01'), ('reg_eu', 'Europe', 'eur', '2026-01-01', NULL);
-- Medusa makes the handle of a category of its name with all its marks, other than that of a product.
INSERT INTO product_category (id, name, handle, description, is_active, is_internal, parent_category_id) VALUES
  ('pcat_a', 'Shirts', 'shirts', 'All of them', TRUE, FALSE, NULL), ('pcat_b', 'What''s new? #2: 50% off', 'what''s-new?-#2:-50%-off', '', TRUE, FALSE, 'pcat_a'),
  ('pcat_c', 'CNRY not active', 'cnry-c', 'CNRY', FALSE, FALSE, NULL), ('pcat_d', 'CNRY internal', 'cnry-d', 'CNRY', TRUE, TRUE, NULL),
  ('pcat_e', 'Below internal', 'below-internal', '', TRUE, FALSE, 'pcat_d'), ('pcat_f', 'CNRY empty', 'cnry-f', 'CNRY', TRUE, FALSE, NULL);
INSERT INTO product_category (id, name, handle, deleted_at) VALUES ('pcat_g', 'CNRY deleted', 'cnry-g', '2026-01-01');
INSERT INTO product_type VALUES ('ptyp_1', 'Men''s wear', NULL), ('ptyp_2', 'CNRY deleted', '2026-01-01');
-- 1 to 7 are public: the fifth without a category, the sixth in an internal one alone, the seventh below that. Each of the others
-- is hidden for one reason.
INSERT INTO product (id, title, handle, subtitle, description, status, thumbnail, type_id, is_giftcard, deleted_at) VALUES
  ('prod_1', 'Blue <Shirt>', 'blue-shirt', 'In blue', E'Soft & warm.\n\nWash < 40°', 'published', 'https://cdn.example/blue.png', 'ptyp_1', FALSE, NULL),
  ('prod_2', 'Red Shirt', 'red-shirt', NULL, NULL, 'published', NULL, NULL, FALSE, NULL),
  ('prod_3', 'Green Shirt', 'green-shirt', NULL, NULL, 'published', NULL, 'ptyp_2', FALSE, NULL),
  ('prod_4', 'Old Shirt', 'old-shirt', NULL, NULL, 'published', NULL, NULL, FALSE, NULL),
  ('prod_5', 'Stray Shirt', 'stray-shirt', NULL, NULL, 'published', NULL, NULL, FALSE, NULL),
  ('prod_6', 'Internal Shirt', 'internal-shirt', NULL, NULL, 'published', NULL, NULL, FALSE, NULL),
  ('prod_7', 'Deep Shirt', 'deep-shirt', NULL, NULL, 'published', NULL, NULL, FALSE, NULL),
  ('prod_d', 'CNRY draft', 'cnry-d', 'CNRY', 'CNRY', 'draft', NULL, NULL, FALSE, NULL),
  ('prod_e', 'CNRY proposed', 'cnry-e', 'CNRY', 'CNRY', 'proposed', NULL, NULL, FALSE, NULL),
  ('prod_f', 'CNRY rejected', 'cnry-f', 'CNRY', 'CNRY', 'rejected', NULL, NULL, FALSE, NULL),
  ('prod_g', 'CNRY deleted', 'cnry-g', 'CNRY', 'CNRY', 'published', NULL, NULL, FALSE, '2026-01-01'),
  ('prod_h', 'CNRY gift card', 'cnry-h', 'CNRY', 'CNRY', 'published', NULL, NULL, TRUE, NULL),
  ('prod_i', 'CNRY other channel', 'cnry-i', 'CNRY', 'CNRY', 'published', NULL, NULL, FALSE, NULL),
  ('prod_j', 'CNRY taken out of the channel', 'cnry-j', 'CNRY', 'CNRY', 'published', NULL, NULL, FALSE, NULL),
  ('prod_l', 'CNRY without a public price', 'cnry-l', 'CNRY', 'CNRY', 'published', NULL, NULL, FALSE, NULL);
INSERT INTO product_category_product VALUES
  ('prod_1', 'pcat_b'), ('prod_2', 'pcat_a'), ('prod_2', 'pcat_c'), ('prod_3', 'pcat_a'), ('prod_4', 'pcat_a'), ('prod_d', 'pcat_a'),
  ('prod_e', 'pcat_a'), ('prod_f', 'pcat_a'), ('prod_g', 'pcat_a'), ('prod_h', 'pcat_a'), ('prod_i', 'pcat_a'), ('prod_j', 'pcat_a'),
  ('prod_6', 'pcat_d'), ('prod_6', 'pcat_g'), ('prod_7', 'pcat_e'), ('prod_l', 'pcat_a');
INSERT INTO product_sales_channel (product_id, sales_channel_id)
  SELECT id, CASE WHEN id = 'prod_i' THEN 'sc_b2b' ELSE 'sc_web' END FROM product;
UPDATE product_sales_channel SET deleted_at = '2026-01-01' WHERE product_id = 'prod_j';
INSERT INTO image (id, url, rank, product_id, deleted_at) VALUES
  ('img_1', 'https://cdn.example/2.png', 2, 'prod_1', NULL), ('img_2', 'https://cdn.example/1.png', 1, 'prod_1', NULL),
  ('img_3', 'https://cdn.example/cnry.png', 3, 'prod_1', '2026-01-01');
INSERT INTO product_variant (id, product_id) SELECT 'variant_' || id, id FROM product;
INSERT INTO product_variant (id, product_id, deleted_at) VALUES ('variant_1x', 'prod_1', '2026-01-01');
INSERT INTO product_variant_price_set (variant_id, price_set_id) SELECT id, 'pset_' || id FROM product_variant;
INSERT INTO price (id, price_set_id, amount) SELECT 'price_' || id, 'pset_variant_' || id, 19.99 FROM product WHERE id <> 'prod_l';
INSERT INTO price_list (id, status, type, starts_at, ends_at, rules_count, deleted_at) VALUES
  ('plist_now', 'active', 'sale', '2026-11-01', '2026-12-01', 0, NULL), ('plist_soon', 'active', 'sale', '2026-11-20 14:59:59.25+02', NULL, 0, NULL),
  ('plist_draft', 'draft', 'sale', NULL, NULL, 0, NULL), ('plist_group', 'active', 'override', NULL, NULL, 1, NULL),
  ('plist_gone', 'active', 'sale', NULL, NULL, 0, '2026-01-01'), ('plist_over', 'active', 'sale', NULL, '2026-11-20 11:59:59+00', 0, NULL),
  ('plist_last', 'active', 'sale', NULL, '2026-11-20 12:00+00', 0, NULL);
INSERT INTO price (id, price_set_id, currency_code, amount, min_quantity, rules_count, price_list_id, deleted_at) VALUES
  ('price_x1', 'pset_variant_1x', 'eur', 1.11, NULL, 0, NULL, NULL), ('price_x2', 'pset_variant_prod_1', 'eur', 14.5, NULL, 0, 'plist_now', NULL),
  ('price_x3', 'pset_variant_prod_1', 'usd', 2.22, NULL, 0, NULL, NULL), ('price_x4', 'pset_variant_prod_1', 'eur', 3.33, 10, 0, NULL, NULL),
  ('price_x5', 'pset_variant_prod_2', 'eur', 4.44, NULL, 0, 'plist_soon', NULL), ('price_x6', 'pset_variant_prod_2', 'eur', 5.55, NULL, 0, 'plist_draft', NULL),
  ('price_x7', 'pset_variant_prod_2', 'eur', 6.66, NULL, 0, 'plist_group', NULL), ('price_x8', 'pset_variant_prod_2', 'eur', 7.77, NULL, 0, 'plist_gone', NULL),
  ('price_x9', 'pset_variant_prod_3', 'eur', 8.88, NULL, 1, NULL, NULL), ('price_xa', 'pset_variant_prod_3', 'eur', 9.99, NULL, 0, NULL, '2026-01-01'),
  ('price_xb', 'pset_variant_prod_4', 'eur', 10, NULL, 0, 'plist_over', NULL), ('price_xc', 'pset_variant_prod_l', 'eur', 79.19, NULL, 1, NULL, NULL),
  ('price_xe', 'pset_variant_prod_5', 'eur', 11, NULL, 0, 'plist_last', NULL),
  ('price_xd', 'pset_variant_prod_d', 'eur', 1, NULL, 0, 'plist_soon', NULL);
INSERT INTO customer VALUES ('cus_1', 'cnry@canary.example', 'CNRY_phone', 'CNRY_name');
INSERT INTO "order" VALUES ('order_1', 'cnry@canary.example', 'cus_1', '{"note": "CNRY"}');
-- The storefront's key is the last one: the others are secret, deleted, revoked, or for a channel without a product.
INSERT INTO sales_channel (id, name) VALUES ('sc_empty', 'Empty');
INSERT INTO api_key (id, token, salt, redacted, title, type, created_at, revoked_at, deleted_at) VALUES
  ('apk_1', 'CNRY_token', 'CNRY_salt', 'CNRY', 'CNRY', 'secret', '2025-01-01', NULL, NULL),
  ('apk_2', 'CNRY_token2', 'CNRY_salt', 'CNRY', 'CNRY', 'publishable', '2025-01-01', NULL, '2026-01-01'),
  ('apk_3', 'CNRY_token3', 'CNRY_salt', 'CNRY', 'CNRY', 'publishable', '2025-01-01', '2026-01-01', NULL),
  ('apk_4', 'CNRY_token4', 'CNRY_salt', 'CNRY', 'CNRY', 'publishable', '2025-01-01', NULL, NULL),
  ('apk_5', 'CNRY_token5', 'CNRY_salt', 'CNRY', 'CNRY', 'publishable', '2026-01-01', NULL, NULL);
INSERT INTO publishable_api_key_sales_channel (publishable_key_id, sales_channel_id, deleted_at) VALUES
  ('apk_1', 'sc_b2b', NULL), ('apk_2', 'sc_b2b', NULL), ('apk_3', 'sc_b2b', NULL), ('apk_4', 'sc_empty', NULL),
  ('apk_5', 'sc_web', NULL), ('apk_5', 'sc_b2b', '2026-01-01');
INSERT INTO inventory_level VALUES ('ilev_1', 7919123);

-- When each row was saved.
ALTER TABLE product_variant ADD COLUMN updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00';
ALTER TABLE price ADD COLUMN updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00';
ALTER TABLE price_list ADD COLUMN updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00';
ALTER TABLE product_category ADD COLUMN updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00';
ALTER TABLE image ADD COLUMN updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00';
ALTER TABLE product_variant_price_set ADD COLUMN updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00';
ALTER TABLE product_sales_channel ADD COLUMN updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00';
ALTER TABLE sales_channel ADD COLUMN updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00';
ALTER TABLE product_type ADD COLUMN updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00';
ALTER TABLE store ADD COLUMN updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00';
ALTER TABLE publishable_api_key_sales_channel ADD COLUMN updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00';
ALTER TABLE store_currency ADD COLUMN updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00+00';
