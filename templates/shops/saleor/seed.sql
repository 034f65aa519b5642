-- The tables of Saleor 3 that the queries read, and some private ones, with rows in every state.
-- CNRY marks what must not become public.
CREATE TABLE django_site (id INTEGER PRIMARY KEY, domain VARCHAR(100) NOT NULL, name VARCHAR(50) NOT NULL);
CREATE TABLE channel_channel (
  id INTEGER PRIMARY KEY, name VARCHAR(250) NOT NULL, slug VARCHAR(255) NOT NULL, currency_code VARCHAR(3) NOT NULL, is_active BOOLEAN NOT NULL
);
CREATE TABLE product_category (
  id INTEGER PRIMARY KEY, name VARCHAR(250) NOT NULL, slug VARCHAR(255) NOT NULL, description JSONB, description_plaintext TEXT NOT NULL DEFAULT '',
  parent_id INTEGER, private_metadata JSONB DEFAULT '{"key": "CNRY_metadata"}'
);
CREATE TABLE product_producttype (id INTEGER PRIMARY KEY, name VARCHAR(250) NOT NULL, slug VARCHAR(255) NOT NULL, is_digital BOOLEAN NOT NULL DEFAULT FALSE);
CREATE TABLE product_product (
  id INTEGER PRIMARY KEY, name VARCHAR(250) NOT NULL, slug VARCHAR(255) NOT NULL, description JSONB DEFAULT '{"blocks": ["CNRY"]}',
  description_plaintext TEXT NOT NULL DEFAULT '', category_id INTEGER, product_type_id INTEGER NOT NULL DEFAULT 1,
  created_at TIMESTAMPTZ NOT NULL DEFAULT '2026-01-01 00:00:00+00', updated_at TIMESTAMPTZ NOT NULL DEFAULT '2026-02-01 00:00:00.5+00',
  rating DOUBLE PRECISION, metadata JSONB DEFAULT '{"key": "CNRY_metadata"}', private_metadata JSONB DEFAULT '{"key": "CNRY_metadata"}',
  external_reference VARCHAR(250) DEFAULT 'CNRY_external', search_document TEXT DEFAULT 'CNRY_document'
);
CREATE TABLE product_productchannellisting (
  id SERIAL PRIMARY KEY, product_id INTEGER NOT NULL, channel_id INTEGER NOT NULL, is_published BOOLEAN NOT NULL DEFAULT TRUE,
  published_at TIMESTAMPTZ DEFAULT '2026-01-01 00:00:00+00', visible_in_listings BOOLEAN NOT NULL DEFAULT TRUE,
  available_for_purchase_at TIMESTAMPTZ DEFAULT '2026-01-01 00:00:00+00', discounted_price_amount NUMERIC(12, 3)
);
CREATE TABLE product_productvariant (
  id INTEGER PRIMARY KEY, name VARCHAR(255) NOT NULL DEFAULT 'CNRY_variant', sku VARCHAR(255) DEFAULT 'CNRY_sku', product_id INTEGER NOT NULL,
  is_preorder BOOLEAN NOT NULL DEFAULT FALSE, preorder_end_date TIMESTAMPTZ, preorder_global_threshold INTEGER DEFAULT 7919123
);
CREATE TABLE product_productvariantchannellisting (
  id SERIAL PRIMARY KEY, variant_id INTEGER NOT NULL, channel_id INTEGER NOT NULL, price_amount NUMERIC(12, 3),
  cost_price_amount NUMERIC(12, 3) DEFAULT 7919.125, prior_price_amount NUMERIC(12, 3) DEFAULT 7919.126, discounted_price_amount NUMERIC(12, 3)
);
CREATE TABLE product_productmedia (
  id INTEGER PRIMARY KEY, product_id INTEGER, image VARCHAR(100), type VARCHAR(32) NOT NULL DEFAULT 'IMAGE', alt VARCHAR(250) NOT NULL DEFAULT '',
  external_url VARCHAR(256), sort_order INTEGER, to_remove BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE TABLE product_digitalcontent (id INTEGER PRIMARY KEY, product_variant_id INTEGER, content_file VARCHAR(100));
CREATE TABLE account_user (id INTEGER PRIMARY KEY, email VARCHAR(254), password VARCHAR(128), first_name VARCHAR(256), note TEXT);
CREATE TABLE order_order (id INTEGER PRIMARY KEY, user_email VARCHAR(254), customer_note TEXT, total_gross_amount NUMERIC(12, 3));
CREATE TABLE app_apptoken (id INTEGER PRIMARY KEY, auth_token VARCHAR(128));
CREATE TABLE warehouse_stock (id INTEGER PRIMARY KEY, product_variant_id INTEGER, quantity INTEGER);

INSERT INTO django_site VALUES (1, 'saleor.example', 'Saleor Shop');
INSERT INTO channel_channel VALUES (1, 'Closed', 'closed', 'EUR', FALSE), (2, 'Default', 'default-channel', 'USD', TRUE), (3, 'Wholesale', 'wholesale', 'USD', TRUE);
INSERT INTO product_category (id, name, slug, description_plaintext) VALUES (1, 'Books', 'books', 'To read.'), (2, 'Games', 'games', ''), (3, 'CNRY empty', 'cnry', 'CNRY');
INSERT INTO product_producttype VALUES (1, 'Digital', 'digital', TRUE), (2, 'Simple & more', 'simple', FALSE);
-- 1 to 5 are public; each of the others is hidden for one reason.
INSERT INTO product_product (id, name, slug, description_plaintext, category_id, product_type_id) VALUES
  (1, 'A <Book>', 'a-book', 'First. Second &amp; &lt;last&gt;. One Two', 1, 1), (2, 'A Game', 'a-game', '', 2, 2), (3, 'Coming Game', 'coming-game', '', 2, 2),
  (4, 'Preordered Book', 'preordered-book', '', 1, 1), (5, 'Undated Book', 'undated-book', '', 1, 1),
  (11, 'CNRY not published', 'cnry-11', 'CNRY', 1, 1), (12, 'CNRY published later', 'cnry-12', 'CNRY', 1, 1),
  (13, 'CNRY not listed', 'cnry-13', 'CNRY', 1, 1), (14, 'CNRY other channel', 'cnry-14', 'CNRY', 1, 1),
  (15, 'CNRY without a price', 'cnry-15', 'CNRY', 1, 1), (16, 'CNRY without a category', 'cnry-16', 'CNRY', NULL, 1),
  (17, 'CNRY not sold', 'cnry-17', 'CNRY', 1, 1), (18, 'CNRY closed channel', 'cnry-18', 'CNRY', 1, 1),
  (19, 'CNRY without a variant', 'cnry-19', 'CNRY', 1, 1), (20, 'CNRY in no channel', 'cnry-20', 'CNRY', 1, 1);
-- The blocks of the editor, whose texts are HTML. Saleor's own plain text takes tags out of them, and leaves entities in.
UPDATE product_product SET description = '{"time": 1, "version": "2.24.3", "blocks": [
  {"id": "a", "type": "paragraph", "data": {"text": "<b>First.</b>"}},
  {"id": "b", "type": "header", "data": {"text": "Second &amp; &lt;last&gt;.", "level": 2}},
  {"id": "c", "type": "list", "data": {"style": "unordered", "items": ["One", {"content": "Two", "items": []}]}},
  {"id": "d", "type": "embed", "data": {"service": "youtube", "source": "https://cnry.example/CNRY", "embed": "https://cnry.example/CNRY"}},
  {"id": "e", "type": "paragraph", "data": {}}
]}' WHERE id = 1;
UPDATE product_product SET description = '{}' WHERE id = 2;
UPDATE product_category SET description = '{"blocks": [{"type": "paragraph", "data": {"text": "To read &amp; keep."}}]}',
  description_plaintext = 'To read &amp; keep.' WHERE id = 1;
INSERT INTO product_productchannellisting (product_id, channel_id, is_published, published_at, visible_in_listings, available_for_purchase_at, discounted_price_amount) VALUES
  (1, 2, TRUE, '2026-01-01+00', TRUE, '2026-01-01+00', 11), (2, 2, TRUE, '2026-01-01+00', TRUE, '2026-01-01+00', 20),
  (3, 2, TRUE, '2026-01-01+00', TRUE, '2026-12-24 10:00:00.25+00', NULL), (4, 2, TRUE, '2026-01-01+00', TRUE, '2026-01-01+00', NULL),
  (5, 2, TRUE, NULL, TRUE, '2026-01-01+00', NULL), (1, 3, TRUE, '2026-01-01+00', TRUE, '2026-01-01+00', 1),
  (11, 2, FALSE, '2026-01-01+00', TRUE, '2026-01-01+00', NULL), (12, 2, TRUE, '2999-01-01 00:00:00+00', TRUE, '2026-01-01+00', NULL),
  (13, 2, TRUE, '2026-01-01+00', FALSE, '2026-01-01+00', NULL), (14, 3, TRUE, '2026-01-01+00', TRUE, '2026-01-01+00', NULL),
  (15, 2, TRUE, '2026-01-01+00', TRUE, '2026-01-01+00', NULL), (16, 2, TRUE, '2026-01-01+00', TRUE, '2026-01-01+00', NULL),
  (17, 2, TRUE, '2026-01-01+00', TRUE, NULL, NULL), (18, 1, TRUE, '2026-01-01+00', TRUE, '2026-01-01+00', NULL),
  (19, 2, TRUE, '2026-01-01+00', TRUE, '2026-01-01+00', NULL);
INSERT INTO product_productvariant (id, product_id, is_preorder, preorder_end_date)
  SELECT 100 + p.id, p.id, p.id = 4, CASE WHEN p.id = 4 THEN '2026-11-30 23:59:59.5+00'::timestamptz END FROM product_product AS p WHERE p.id <> 19;
INSERT INTO product_productvariant (id, product_id) VALUES (201, 1);
INSERT INTO product_productvariantchannellisting (variant_id, channel_id, price_amount)
  SELECT v.id, 2, CASE WHEN v.id = 115 THEN NULL WHEN v.id = 201 THEN 15 ELSE 12.5 END FROM product_productvariant AS v;
INSERT INTO product_productvariantchannellisting (variant_id, channel_id, price_amount) VALUES (101, 3, 0.5), (115, 3, 7919.1);
-- As Saleor writes them. Product 1 is on sale by its other variant; its own listing is stale.
UPDATE product_productvariantchannellisting SET discounted_price_amount = CASE WHEN variant_id = 201 THEN 9.5 ELSE price_amount END;
INSERT INTO product_productmedia (id, product_id, image, type, external_url, sort_order, to_remove) VALUES
  (1, 1, 'products/b.png', 'IMAGE', NULL, 2, FALSE), (2, 1, 'products/a.png', 'IMAGE', NULL, 1, FALSE),
  (3, 1, '', 'VIDEO', 'https://cnry.example/video', 0, FALSE), (4, 1, 'products/cnry.png', 'IMAGE', NULL, 3, TRUE);
INSERT INTO product_digitalcontent VALUES (1, 101, 'digital_contents/cnry.zip');
INSERT INTO account_user VALUES (1, 'cnry@canary.example', 'CNRY_hash', 'CNRY_name', 'CNRY_note');
INSERT INTO order_order VALUES (1, 'cnry@canary.example', 'CNRY_note', 7919.12);
INSERT INTO app_apptoken VALUES (1, 'CNRY_token');
INSERT INTO warehouse_stock VALUES (1, 101, 7919123);
