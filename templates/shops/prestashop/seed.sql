-- The tables of PrestaShop 8 that the queries read, and some private ones, with rows in every state.
-- CNRY marks what must not become public.
CREATE TABLE ps_configuration (
  id_configuration INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  id_shop_group INT UNSIGNED,
  id_shop INT UNSIGNED,
  name VARCHAR(254) NOT NULL,
  value TEXT
);
CREATE TABLE ps_shop (id_shop INT UNSIGNED NOT NULL PRIMARY KEY, id_shop_group INT UNSIGNED NOT NULL DEFAULT 1, name VARCHAR(64) NOT NULL, active TINYINT(1) NOT NULL DEFAULT 1);
CREATE TABLE ps_shop_url (
  id_shop_url INT UNSIGNED NOT NULL PRIMARY KEY,
  id_shop INT UNSIGNED NOT NULL,
  domain VARCHAR(150) NOT NULL,
  domain_ssl VARCHAR(150) NOT NULL,
  physical_uri VARCHAR(64) NOT NULL,
  main TINYINT(1) NOT NULL,
  active TINYINT(1) NOT NULL
);
CREATE TABLE ps_currency (id_currency INT UNSIGNED NOT NULL PRIMARY KEY, iso_code VARCHAR(3) NOT NULL, `precision` INT NOT NULL DEFAULT 6);
CREATE TABLE ps_group (
  id_group INT UNSIGNED NOT NULL PRIMARY KEY,
  reduction DECIMAL(5, 2) NOT NULL DEFAULT 0,
  show_prices TINYINT UNSIGNED NOT NULL DEFAULT 1
);
CREATE TABLE ps_category (
  id_category INT UNSIGNED NOT NULL PRIMARY KEY,
  id_parent INT UNSIGNED NOT NULL,
  nleft INT UNSIGNED NOT NULL,
  nright INT UNSIGNED NOT NULL,
  active TINYINT UNSIGNED NOT NULL DEFAULT 1,
  is_root_category TINYINT(1) NOT NULL DEFAULT 0
);
CREATE TABLE ps_category_lang (
  id_category INT UNSIGNED NOT NULL,
  id_shop INT UNSIGNED NOT NULL DEFAULT 1,
  id_lang INT UNSIGNED NOT NULL DEFAULT 1,
  name VARCHAR(128) NOT NULL,
  description TEXT,
  link_rewrite VARCHAR(128) NOT NULL,
  PRIMARY KEY (id_category, id_shop, id_lang)
);
CREATE TABLE ps_category_shop (id_category INT NOT NULL, id_shop INT NOT NULL, PRIMARY KEY (id_category, id_shop));
CREATE TABLE ps_category_group (id_category INT UNSIGNED NOT NULL, id_group INT UNSIGNED NOT NULL, PRIMARY KEY (id_category, id_group));
CREATE TABLE ps_category_product (id_category INT UNSIGNED NOT NULL, id_product INT UNSIGNED NOT NULL, PRIMARY KEY (id_category, id_product));
CREATE TABLE ps_product (
  id_product INT UNSIGNED NOT NULL PRIMARY KEY,
  id_supplier INT UNSIGNED DEFAULT 7919123,
  reference VARCHAR(64) DEFAULT 'CNRY_reference',
  supplier_reference VARCHAR(64) DEFAULT 'CNRY_supplier',
  wholesale_price DECIMAL(20, 6) NOT NULL DEFAULT 7919.12,
  is_virtual TINYINT(1) NOT NULL DEFAULT 0,
  cache_is_pack TINYINT(1) NOT NULL DEFAULT 0,
  state INT UNSIGNED NOT NULL DEFAULT 1
);
CREATE TABLE ps_product_shop (
  id_product INT UNSIGNED NOT NULL,
  id_shop INT UNSIGNED NOT NULL DEFAULT 1,
  id_category_default INT UNSIGNED,
  price DECIMAL(20, 6) NOT NULL DEFAULT 5,
  wholesale_price DECIMAL(20, 6) NOT NULL DEFAULT 7919.12,
  ecotax DECIMAL(17, 6) NOT NULL DEFAULT 0,
  id_tax_rules_group INT UNSIGNED NOT NULL DEFAULT 0,
  cache_default_attribute INT UNSIGNED,
  active TINYINT(1) NOT NULL DEFAULT 1,
  available_for_order TINYINT(1) NOT NULL DEFAULT 1,
  show_price TINYINT(1) NOT NULL DEFAULT 1,
  visibility ENUM('both', 'catalog', 'search', 'none') NOT NULL DEFAULT 'both',
  date_add DATETIME NOT NULL DEFAULT '2026-01-01 00:00:00',
  date_upd DATETIME NOT NULL DEFAULT '2026-02-01 00:00:00',
  PRIMARY KEY (id_product, id_shop)
);
CREATE TABLE ps_product_lang (
  id_product INT UNSIGNED NOT NULL,
  id_shop INT UNSIGNED NOT NULL DEFAULT 1,
  id_lang INT UNSIGNED NOT NULL DEFAULT 1,
  name VARCHAR(128) NOT NULL,
  description TEXT,
  description_short TEXT,
  link_rewrite VARCHAR(128) NOT NULL,
  PRIMARY KEY (id_product, id_shop, id_lang)
);
CREATE TABLE ps_image (id_image INT UNSIGNED NOT NULL PRIMARY KEY, id_product INT UNSIGNED NOT NULL, position SMALLINT UNSIGNED NOT NULL);
CREATE TABLE ps_image_shop (
  id_product INT UNSIGNED NOT NULL,
  id_image INT UNSIGNED NOT NULL,
  id_shop INT UNSIGNED NOT NULL,
  cover TINYINT UNSIGNED,
  PRIMARY KEY (id_image, id_shop)
);
CREATE TABLE ps_specific_price (
  id_specific_price INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  id_specific_price_rule INT UNSIGNED NOT NULL DEFAULT 0,
  id_product INT UNSIGNED NOT NULL,
  id_cart INT UNSIGNED NOT NULL DEFAULT 0,
  id_shop INT UNSIGNED NOT NULL DEFAULT 0,
  id_shop_group INT UNSIGNED NOT NULL DEFAULT 0,
  id_currency INT UNSIGNED NOT NULL DEFAULT 0,
  id_country INT UNSIGNED NOT NULL DEFAULT 0,
  id_group INT UNSIGNED NOT NULL DEFAULT 0,
  id_customer INT UNSIGNED NOT NULL DEFAULT 0,
  id_product_attribute INT UNSIGNED NOT NULL DEFAULT 0,
  price DECIMAL(20, 6) NOT NULL DEFAULT -1,
  from_quantity MEDIUMINT UNSIGNED NOT NULL DEFAULT 1,
  reduction DECIMAL(20, 6) NOT NULL,
  reduction_tax TINYINT(1) NOT NULL DEFAULT 1,
  reduction_type ENUM('amount', 'percentage') NOT NULL,
  `from` DATETIME NOT NULL,
  `to` DATETIME NOT NULL
);
CREATE TABLE ps_specific_price_priority (id_specific_price_priority INT NOT NULL PRIMARY KEY, id_product INT NOT NULL, priority VARCHAR(80) NOT NULL);
CREATE TABLE ps_product_attribute_shop (
  id_product INT UNSIGNED NOT NULL,
  id_product_attribute INT UNSIGNED NOT NULL,
  id_shop INT UNSIGNED NOT NULL,
  wholesale_price DECIMAL(20, 6) NOT NULL DEFAULT 7919.12,
  price DECIMAL(20, 6) NOT NULL DEFAULT 0,
  ecotax DECIMAL(17, 6) NOT NULL DEFAULT 0,
  default_on TINYINT UNSIGNED,
  PRIMARY KEY (id_product_attribute, id_shop)
);
CREATE TABLE ps_product_group_reduction_cache (
  id_product INT UNSIGNED NOT NULL, id_group INT UNSIGNED NOT NULL, reduction DECIMAL(5, 4) NOT NULL, PRIMARY KEY (id_product, id_group)
);
CREATE TABLE ps_tax (id_tax INT UNSIGNED NOT NULL PRIMARY KEY, rate DECIMAL(10, 3) NOT NULL, active TINYINT NOT NULL DEFAULT 1);
CREATE TABLE ps_tax_rules_group (id_tax_rules_group INT UNSIGNED NOT NULL PRIMARY KEY, name VARCHAR(50) NOT NULL DEFAULT 'CNRY', active INT NOT NULL DEFAULT 1);
CREATE TABLE ps_tax_rule (
  id_tax_rule INT UNSIGNED NOT NULL PRIMARY KEY,
  id_tax_rules_group INT UNSIGNED NOT NULL,
  id_country INT UNSIGNED NOT NULL,
  id_state INT UNSIGNED NOT NULL DEFAULT 0,
  zipcode_from VARCHAR(12) NOT NULL DEFAULT '0',
  id_tax INT UNSIGNED NOT NULL,
  behavior INT NOT NULL DEFAULT 0
);
CREATE TABLE ps_product_comment (
  id_product_comment INT UNSIGNED NOT NULL PRIMARY KEY,
  id_product INT UNSIGNED NOT NULL,
  id_customer INT UNSIGNED NOT NULL DEFAULT 7919123,
  id_guest INT UNSIGNED DEFAULT 7919124,
  title VARCHAR(64),
  content TEXT NOT NULL,
  customer_name VARCHAR(64),
  grade FLOAT NOT NULL,
  validate TINYINT(1) NOT NULL,
  deleted TINYINT(1) NOT NULL DEFAULT 0,
  date_add DATETIME NOT NULL DEFAULT '2026-03-01 00:00:00'
);
CREATE TABLE ps_customer (id_customer INT UNSIGNED NOT NULL PRIMARY KEY, email VARCHAR(255), passwd VARCHAR(255), lastname VARCHAR(255));
CREATE TABLE ps_orders (id_order INT UNSIGNED NOT NULL PRIMARY KEY, reference VARCHAR(9), id_customer INT UNSIGNED, total_paid DECIMAL(20, 6));
CREATE TABLE ps_product_download (id_product_download INT UNSIGNED NOT NULL PRIMARY KEY, id_product INT UNSIGNED, display_filename VARCHAR(255), filename VARCHAR(255));

INSERT INTO ps_configuration (name, value) VALUES
  ('PS_SHOP_DEFAULT', '1'), ('PS_LANG_DEFAULT', '1'), ('PS_CURRENCY_DEFAULT', '1'), ('PS_UNIDENTIFIED_GROUP', '1'),
  ('PS_TIMEZONE', 'Nowhere/Nothing'), ('PS_MAIL_PASSWD', 'CNRY_password'), ('PS_SHOP_EMAIL', 'cnry@canary.example');
INSERT INTO ps_shop VALUES (1, 1, 'Presto', 1), (2, 2, 'Second shop', 1);
INSERT INTO ps_shop_url VALUES (1, 1, 'presto.example', 'presto.example', '/', 1, 1), (2, 2, 'cnry.example', 'cnry.example', '/', 1, 1);
INSERT INTO ps_currency VALUES (1, 'EUR', 2), (2, 'USD', 2);
INSERT INTO ps_group VALUES (1, 0, 1), (2, 0, 1), (3, 0, 1);
-- PrestaShop's import from a table makes nleft and nright of all its categories afterwards: until then they are 0, as of category 6.
INSERT INTO ps_category VALUES
  (1, 0, 1, 20, 1, 0), (2, 1, 2, 19, 1, 1), (3, 2, 3, 6, 1, 0), (4, 3, 4, 5, 1, 0), (5, 2, 7, 10, 0, 0), (6, 5, 0, 0, 1, 0),
  (7, 2, 11, 12, 1, 0), (8, 2, 13, 14, 1, 0);
INSERT INTO ps_category_lang (id_category, id_lang, name, description, link_rewrite) VALUES
  (3, 1, 'Themes', '<p>For &amp; by us</p>', 'themes'), (4, 1, '本', '', 'friendly-url-autogeneration-failed'), (5, 1, 'CNRY switched off', 'CNRY', 'cnry-off'),
  (6, 1, 'CNRY below what is off', 'CNRY', 'cnry-below'), (7, 1, 'CNRY for members', 'CNRY', 'cnry-members'),
  (8, 1, 'CNRY empty', 'CNRY', 'cnry-empty'), (3, 2, 'CNRY other language', 'CNRY', 'cnry-language');
INSERT INTO ps_category_shop SELECT id_category, 1 FROM ps_category;
INSERT INTO ps_category_group VALUES (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (8, 1), (7, 3);
-- 1 to 5 are public, the last one only in the shop's root category; each of the others is hidden for one reason.
INSERT INTO ps_product (id_product, is_virtual, cache_is_pack, state) VALUES
  (1, 1, 0, 1), (2, 0, 0, 1), (3, 0, 1, 1), (4, 0, 0, 1), (5, 0, 0, 1),
  (11, 0, 0, 1), (12, 0, 0, 1), (13, 0, 0, 1), (14, 0, 0, 1), (15, 0, 0, 0), (16, 0, 0, 1), (17, 0, 0, 1), (18, 0, 0, 1), (19, 0, 0, 1), (20, 0, 0, 1), (21, 0, 0, 1);
INSERT INTO ps_product_shop (id_product, id_category_default, price, active, visibility, available_for_order, show_price) VALUES
  (1, 3, 49.9, 1, 'both', 1, 1), (2, 4, 20, 1, 'both', 1, 1), (3, 6, 30.5, 1, 'both', 1, 1), (4, 3, 10, 1, 'both', 1, 1), (5, 2, 7, 1, 'both', 1, 1),
  (11, 3, 5, 0, 'both', 1, 1), (12, 3, 5, 1, 'none', 1, 1), (13, 3, 5, 1, 'catalog', 1, 1), (14, 3, 5, 1, 'search', 1, 1),
  (15, 3, 5, 1, 'both', 1, 1), (16, 5, 5, 1, 'both', 1, 1), (17, 6, 5, 1, 'both', 1, 1), (18, 7, 5, 1, 'both', 1, 1),
  (19, 3, 7919.12, 1, 'both', 0, 0), (21, 3, 5, 1, 'both', 1, 1);
INSERT INTO ps_product_shop (id_product, id_shop, id_category_default) VALUES (20, 2, 3);
INSERT INTO ps_product_lang (id_product, name, description, description_short, link_rewrite) VALUES
  (1, 'Blue theme', '<p>Blue.</p>', '<p>A <b>blue</b> one</p>', 'theme'), (2, 'Red theme', '', '', 'theme'),
  (3, 'Theme pack', '', '', 'theme-pack'), (4, '日本語', '', '', 'friendly-url-autogeneration-failed'), (5, 'Stray theme', '', '', 'stray'),
  (11, 'CNRY off', 'CNRY', 'CNRY', 'cnry-11'), (12, 'CNRY nowhere', 'CNRY', 'CNRY', 'cnry-12'),
  (13, 'CNRY not in the search', 'CNRY', 'CNRY', 'cnry-13'), (14, 'CNRY not in the catalog', 'CNRY', 'CNRY', 'cnry-14'),
  (15, 'CNRY draft', 'CNRY', 'CNRY', 'cnry-15'), (16, 'CNRY category off', 'CNRY', 'CNRY', 'cnry-16'),
  (17, 'CNRY category below', 'CNRY', 'CNRY', 'cnry-17'), (18, 'CNRY for members', 'CNRY', 'CNRY', 'cnry-18'),
  (19, 'CNRY price not shown', 'CNRY', 'CNRY', 'cnry-19'), (21, '', 'CNRY', 'CNRY', 'cnry-21');
INSERT INTO ps_product_lang (id_product, id_shop, id_lang, name, description, description_short, link_rewrite) VALUES
  (1, 1, 2, 'CNRY other language', 'CNRY', 'CNRY', 'cnry'), (20, 2, 1, 'CNRY other shop', 'CNRY', 'CNRY', 'cnry-20');
INSERT INTO ps_category_product VALUES
  (3, 1), (4, 2), (6, 3), (3, 3), (3, 4), (2, 5), (3, 11), (3, 12), (3, 13), (3, 14), (3, 15), (5, 16), (6, 17), (7, 18), (3, 19), (3, 20), (3, 21);
INSERT INTO ps_image VALUES (123, 1, 1), (124, 1, 2), (125, 1, 3), (126, 20, 1);
INSERT INTO ps_image_shop VALUES (1, 123, 1, 1), (1, 124, 1, NULL), (1, 125, 2, NULL), (20, 126, 2, 1);
INSERT INTO ps_specific_price (id_product, id_customer, id_group, id_country, from_quantity, reduction, reduction_type, `from`, `to`) VALUES
  (1, 0, 0, 0, 1, 0.2, 'percentage', '2026-11-01 00:00:00', '2026-12-01 00:00:00'),
  (1, 7, 0, 0, 1, 0.9, 'percentage', '2026-11-01 00:00:00', '2026-12-01 00:00:00'),
  (2, 0, 3, 0, 1, 19, 'amount', '2026-11-01 00:00:00', '2026-12-01 00:00:00'),
  (2, 0, 0, 8, 1, 18, 'amount', '2026-11-01 00:00:00', '2026-12-01 00:00:00'),
  (2, 0, 0, 0, 10, 17, 'amount', '2026-11-01 00:00:00', '2026-12-01 00:00:00'),
  (2, 0, 0, 0, 1, 16, 'amount', '2026-11-20 06:00:00', '2026-12-01 00:00:00'),
  (3, 0, 1, 0, 1, 5, 'amount', '2026-01-01 00:00:00', '2099-01-01 00:00:00'),
  (4, 0, 0, 0, 1, 9, 'amount', '2026-01-01 00:00:00', '2026-11-20 20:00:00'),
  (11, 0, 0, 0, 1, 1, 'amount', '2026-11-20 12:00:01', '2099-01-01 00:00:00');
INSERT INTO ps_product_comment (id_product_comment, id_product, title, content, customer_name, grade, validate, deleted) VALUES
  (1, 1, 'Nice', 'Very <blue>.', 'Marie CNRY_surname', 4.5, 1, 0),
  (2, 1, 'CNRY', 'CNRY not approved', 'CNRY', 5, 0, 0),
  (3, 1, 'CNRY', 'CNRY deleted', 'CNRY', 5, 1, 1),
  (4, 11, 'CNRY', 'CNRY of a product that is off', 'CNRY', 5, 1, 0),
  (5, 1, 'CNRY', 'CNRY without stars', 'CNRY', 0, 1, 0),
  (6, 2, '', 'Fine', 'cnry@canary.example', 3, 1, 0);
INSERT INTO ps_customer VALUES (7, 'cnry@canary.example', 'CNRY_hash', 'CNRY_name');
INSERT INTO ps_orders VALUES (1, 'CNRY_ref', 7, 7919.12);
INSERT INTO ps_product_download VALUES (1, 1, 'cnry.zip', 'CNRY_file');
