-- The tables of WooCommerce 9 that the queries read, and some private ones, with rows in every state.
-- CNRY marks what must not become public.
CREATE TABLE wp_posts (
  ID BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  post_author BIGINT UNSIGNED NOT NULL DEFAULT 0,
  post_date DATETIME NOT NULL DEFAULT '2026-01-01 00:00:00',
  post_date_gmt DATETIME NOT NULL DEFAULT '2026-01-01 00:00:00',
  post_content LONGTEXT NOT NULL,
  post_title TEXT NOT NULL,
  post_excerpt TEXT NOT NULL,
  post_status VARCHAR(20) NOT NULL DEFAULT 'publish',
  comment_status VARCHAR(20) NOT NULL DEFAULT 'open',
  post_password VARCHAR(255) NOT NULL DEFAULT '',
  post_name VARCHAR(200) NOT NULL DEFAULT '',
  post_modified DATETIME NOT NULL DEFAULT '2026-02-01 00:00:00',
  post_modified_gmt DATETIME NOT NULL DEFAULT '2026-02-01 00:00:00',
  post_parent BIGINT UNSIGNED NOT NULL DEFAULT 0,
  guid VARCHAR(255) NOT NULL DEFAULT 'CNRY_guid',
  post_type VARCHAR(20) NOT NULL DEFAULT 'post',
  post_mime_type VARCHAR(100) NOT NULL DEFAULT '',
  comment_count BIGINT NOT NULL DEFAULT 0,
  KEY type_status_date (post_type, post_status, post_date, ID)
);
CREATE TABLE wp_postmeta (
  meta_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  post_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  meta_key VARCHAR(255),
  meta_value LONGTEXT,
  KEY post_id (post_id),
  KEY meta_key (meta_key(191))
);
CREATE TABLE wp_terms (
  term_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(200) NOT NULL DEFAULT '',
  slug VARCHAR(200) NOT NULL DEFAULT '',
  term_group BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE wp_term_taxonomy (
  term_taxonomy_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  term_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  taxonomy VARCHAR(32) NOT NULL DEFAULT '',
  description LONGTEXT NOT NULL,
  parent BIGINT UNSIGNED NOT NULL DEFAULT 0,
  count BIGINT NOT NULL DEFAULT 0,
  UNIQUE KEY term_id_taxonomy (term_id, taxonomy)
);
CREATE TABLE wp_term_relationships (
  object_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  term_taxonomy_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  term_order INT NOT NULL DEFAULT 0,
  PRIMARY KEY (object_id, term_taxonomy_id)
);
CREATE TABLE wp_termmeta (
  meta_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  term_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  meta_key VARCHAR(255),
  meta_value LONGTEXT,
  KEY term_id (term_id),
  KEY meta_key (meta_key(191))
);
CREATE TABLE wp_comments (
  comment_ID BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  comment_post_ID BIGINT UNSIGNED NOT NULL DEFAULT 0,
  comment_author TINYTEXT NOT NULL,
  comment_author_email VARCHAR(100) NOT NULL DEFAULT 'cnry@canary.example',
  comment_author_url VARCHAR(200) NOT NULL DEFAULT 'https://cnry.example',
  comment_author_IP VARCHAR(100) NOT NULL DEFAULT 'CNRY_ip',
  comment_date DATETIME NOT NULL DEFAULT '2026-03-01 00:00:00',
  comment_date_gmt DATETIME NOT NULL DEFAULT '2026-03-01 00:00:00',
  comment_content TEXT NOT NULL,
  comment_karma INT NOT NULL DEFAULT 0,
  comment_approved VARCHAR(20) NOT NULL DEFAULT '1',
  comment_agent VARCHAR(255) NOT NULL DEFAULT 'CNRY_agent',
  comment_type VARCHAR(20) NOT NULL DEFAULT 'comment',
  comment_parent BIGINT UNSIGNED NOT NULL DEFAULT 0,
  user_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  KEY comment_post_ID (comment_post_ID)
);
CREATE TABLE wp_commentmeta (
  meta_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  comment_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  meta_key VARCHAR(255),
  meta_value LONGTEXT,
  KEY comment_id (comment_id)
);
CREATE TABLE wp_options (
  option_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  option_name VARCHAR(191) NOT NULL UNIQUE,
  option_value LONGTEXT NOT NULL,
  autoload VARCHAR(20) NOT NULL DEFAULT 'yes'
);
CREATE TABLE wp_wc_product_meta_lookup (
  product_id BIGINT NOT NULL PRIMARY KEY,
  sku VARCHAR(100) DEFAULT 'CNRY_sku',
  `virtual` TINYINT(1) DEFAULT 1,
  downloadable TINYINT(1) DEFAULT 1,
  min_price DECIMAL(19, 4),
  max_price DECIMAL(19, 4),
  onsale TINYINT(1) DEFAULT 0,
  stock_quantity DOUBLE DEFAULT 7919123,
  stock_status VARCHAR(100) DEFAULT 'instock',
  rating_count BIGINT DEFAULT 0,
  average_rating DECIMAL(3, 2) DEFAULT 0,
  total_sales BIGINT DEFAULT 7919124
);
CREATE TABLE wp_users (
  ID BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_login VARCHAR(60) NOT NULL,
  user_pass VARCHAR(255) NOT NULL,
  user_email VARCHAR(100) NOT NULL,
  display_name VARCHAR(250) NOT NULL
);
CREATE TABLE wp_usermeta (
  umeta_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT UNSIGNED NOT NULL,
  meta_key VARCHAR(255),
  meta_value LONGTEXT
);
CREATE TABLE wp_wc_orders (
  id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  status VARCHAR(20),
  total_amount DECIMAL(26, 8),
  customer_id BIGINT UNSIGNED,
  billing_email VARCHAR(320),
  ip_address VARCHAR(100),
  customer_note TEXT
);
CREATE TABLE wp_woocommerce_downloadable_product_permissions (
  permission_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  download_id VARCHAR(36) NOT NULL,
  product_id BIGINT UNSIGNED NOT NULL,
  order_key VARCHAR(200) NOT NULL,
  user_email VARCHAR(200) NOT NULL
);

INSERT INTO wp_options (option_name, option_value) VALUES
  ('home', 'https://woo.example'),
  ('siteurl', 'https://woo.example'),
  ('permalink_structure', '/%postname%/'),
  ('blogname', 'Tom &amp; Ada'),
  ('blogdescription', 'Digital goods'),
  ('woocommerce_currency', 'EUR'),
  ('admin_email', 'cnry@canary.example'),
  ('woocommerce_stripe_settings', 'CNRY_secret_key');
INSERT INTO wp_terms (term_id, name, slug) VALUES
  (1, 'Plugins &amp; Tools', 'plugins'),
  (2, '日本語 &amp; 本', '%e6%97%a5%e6%9c%ac%e8%aa%9e'),
  (3, 'CNRY secret launch', 'cnry-secret'),
  (4, 'simple', 'simple'),
  (5, 'variable', 'variable'),
  (6, 'exclude-from-catalog', 'exclude-from-catalog'),
  (7, 'exclude-from-search', 'exclude-from-search'),
  (8, 'featured', 'featured'),
  (9, 'grouped', 'grouped');
INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES
  (11, 1, 'product_cat', 'What <b>extends</b> it.'),
  (12, 2, 'product_cat', ''),
  (13, 3, 'product_cat', 'CNRY'),
  (14, 4, 'product_type', ''),
  (15, 5, 'product_type', ''),
  (16, 6, 'product_visibility', ''),
  (17, 7, 'product_visibility', ''),
  (18, 8, 'product_visibility', ''),
  (19, 9, 'product_type', '');
-- 101 to 106 are public; each of the others is hidden for one reason.
INSERT INTO wp_posts (ID, post_type, post_title, post_name, post_content, post_excerpt) VALUES
  (101, 'product', 'Gallery &amp; Slider', 'gallery-slider', '<!-- wp:paragraph --><p>Shows pictures.</p><!-- /wp:paragraph --><p>[members_only level="gold"]CNRY for members[/members_only] [gallery ids="7"]</p>', 'Pictures, <b>fast</b>.'),
  (102, 'product', 'Checkout Fields', 'checkout-fields', 'First line\nsame paragraph\r\n\r\nSecond & last', ''),
  (103, 'product', 'Theme Bundle', 'theme-bundle', '', ''),
  (104, 'product', '日本語 &amp; 本', '%e6%97%a5%e6%9c%ac', '', ''),
  (105, 'product', 'Sale Over', 'sale-over', '', ''),
  (106, 'product', 'Three Parts', 'three-parts', '', '');
INSERT INTO wp_posts (ID, post_type, post_title, post_name, post_content, post_excerpt, post_status, post_password, post_date_gmt) VALUES
  (201, 'product', 'CNRY draft', 'cnry-draft', 'CNRY', 'CNRY', 'draft', '', '2026-01-01 00:00:00'),
  (202, 'product', 'CNRY private', 'cnry-private', 'CNRY', 'CNRY', 'private', '', '2026-01-01 00:00:00'),
  (203, 'product', 'CNRY pending', 'cnry-pending', 'CNRY', 'CNRY', 'pending', '', '2026-01-01 00:00:00'),
  (204, 'product', 'CNRY trash', 'cnry-trash', 'CNRY', 'CNRY', 'trash', '', '2026-01-01 00:00:00'),
  (205, 'product', 'CNRY password', 'cnry-password', 'CNRY', 'CNRY', 'publish', 'CNRY_pw', '2026-01-01 00:00:00'),
  (206, 'product', 'CNRY scheduled', 'cnry-scheduled', 'CNRY', 'CNRY', 'future', '', '2999-01-01 00:00:00'),
  (207, 'product', 'CNRY not out yet', 'cnry-not-yet', 'CNRY', 'CNRY', 'publish', '', '2999-01-01 00:00:00'),
  (208, 'product', 'CNRY not in the catalog', 'cnry-no-catalog', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00'),
  (209, 'product', 'CNRY not in the search', 'cnry-no-search', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00'),
  (210, 'product', 'CNRY without a price', 'cnry-no-price', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00'),
  (211, 'product', 'Stray Plugin', 'stray-plugin', 'Nowhere.', 'Nowhere.', 'publish', '', '2026-01-01 00:00:00'),
  (212, 'product', 'CNRY autosave', 'cnry-auto', 'CNRY', 'CNRY', 'auto-draft', '', '2026-01-01 00:00:00'),
  (213, 'product_variation', 'CNRY variation', 'cnry-variation', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00'),
  (217, 'product_variation', 'CNRY disabled variation', 'cnry-variation-2', 'CNRY', 'CNRY', 'private', '', '2026-01-01 00:00:00'),
  (214, 'revision', 'CNRY revision', '101-revision-v1', 'CNRY', 'CNRY', 'inherit', '', '2026-01-01 00:00:00'),
  (215, 'shop_order', 'CNRY order', 'cnry-order', 'CNRY', 'CNRY note', 'wc-completed', 'CNRY_order_key', '2026-01-01 00:00:00'),
  (216, 'shop_coupon', 'CNRY coupon', 'cnry-coupon', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00'),
  (218, 'product', 'CNRY for members', 'cnry-for-members', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00'),
  (301, 'post', 'We are open', 'we-are-open', '<p>At last.</p>', 'Open.', 'publish', '', '2026-01-01 00:00:00'),
  (302, 'post', 'CNRY draft post', 'cnry-draft-post', 'CNRY', 'CNRY', 'draft', '', '2026-01-01 00:00:00'),
  (303, 'post', 'CNRY password post', 'cnry-pw-post', 'CNRY', 'CNRY', 'publish', 'CNRY_pw', '2026-01-01 00:00:00'),
  (304, 'post', 'CNRY future post', 'cnry-future-post', 'CNRY', 'CNRY', 'future', '', '2999-01-01 00:00:00'),
  (305, 'page', 'CNRY page', 'cnry-page', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00'),
  (306, 'post', 'CNRY post for members', 'cnry-for-members', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00');
INSERT INTO wp_posts (ID, post_type, post_title, post_content, post_excerpt, post_status, post_mime_type) VALUES
  (401, 'attachment', 'CNRY title of a picture', '', '', 'inherit', 'image/png'),
  (402, 'attachment', 'CNRY title of a picture', '', '', 'inherit', 'image/png'),
  (403, 'attachment', 'CNRY picture that is sold', '', '', 'inherit', 'image/png'),
  (404, 'attachment', 'CNRY trashed picture', '', '', 'trash', 'image/png'),
  (405, 'attachment', 'CNRY file that is sold', '', '', 'inherit', 'application/zip');
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES
  (401, '_wp_attached_file', '2026/01/gallery.png'),
  (402, '_wp_attached_file', '2026/01/more.png'),
  (403, '_wp_attached_file', 'woocommerce_uploads/2026/cnry.png'),
  (404, '_wp_attached_file', '2026/cnry-trashed.png'),
  (405, '_wp_attached_file', '2026/cnry-plugin.zip'),
  (101, '_regular_price', '49.90'), (101, '_sale_price', '39.5'), (101, '_thumbnail_id', '401'),
  (101, '_product_image_gallery', '402,401,403,404,405'), (101, '_downloadable_files', 'CNRY_files'),
  (101, '_purchase_note', 'CNRY_note'), (101, '_yoast_wpseo_primary_product_cat', '2'), (101, '_sku', 'CNRY_sku'),
  (102, '_regular_price', '20'), (102, '_sale_price', '15'), (102, '_sale_price_dates_from', '1796000000'),
  (102, '_sale_price_dates_to', '1797000000'),
  (104, '_regular_price', '0'),
  (105, '_regular_price', '8'), (105, '_sale_price', '7'), (105, '_sale_price_dates_to', '1780000000'),
  (208, '_regular_price', '5'), (209, '_regular_price', '5'), (210, '_regular_price', ''), (211, '_regular_price', '5'),
  (201, '_regular_price', '5'), (202, '_regular_price', '5'), (203, '_regular_price', '5'), (204, '_regular_price', '5'),
  (205, '_regular_price', '5'), (206, '_regular_price', '5'), (207, '_regular_price', '5'),
  (207, '_sale_price', '4'), (207, '_sale_price_dates_from', '1795500000'),
  (218, '_regular_price', '5'), (218, '_members_access_role', 'CNRY_role'), (306, 'groups-read', '7919123');
INSERT INTO wp_wc_product_meta_lookup (product_id, min_price, max_price) VALUES
  (101, 39.5, 39.5), (102, 20, 20), (103, 59, 199), (104, 0, 0), (105, 8, 8), (106, 8, 30);
UPDATE wp_posts SET post_parent = 103 WHERE ID IN (213, 217);
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES
  (213, '_regular_price', '59'), (217, '_regular_price', '7919'),
  (106, '_children', 'a:3:{i:0;i:102;i:1;i:105;i:2;i:201;}');
INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES
  (101, 11), (101, 12), (101, 14), (101, 18), (102, 11), (102, 14), (103, 11), (103, 15), (104, 12), (104, 14),
  (105, 11), (105, 14), (106, 11), (106, 19),
  (201, 13), (202, 13), (203, 13), (204, 13), (205, 13), (206, 13), (207, 13), (208, 13), (208, 16), (209, 13), (209, 17),
  (210, 13), (212, 13);
INSERT INTO wp_comments (comment_ID, comment_post_ID, comment_author, comment_content, comment_approved, comment_type, comment_parent) VALUES
  (501, 101, 'Ada', 'Good &amp; <em>fast</em>.\r\n\r\nPro: quick\r\nCon: none', '1', 'review', 0),
  (502, 101, 'cnry@canary.example', 'Fine.', '1', 'review', 0),
  (503, 101, 'CNRY', 'CNRY waits for approval', '0', 'review', 0),
  (504, 101, 'CNRY', 'CNRY spam', 'spam', 'review', 0),
  (505, 101, 'CNRY', 'CNRY trashed', 'trash', 'review', 0),
  (506, 215, 'CNRY', 'CNRY order note: refunded', '1', 'order_note', 0),
  (507, 201, 'CNRY', 'CNRY of a draft', '1', 'review', 0),
  (508, 101, 'CNRY', 'CNRY without stars', '1', 'review', 0),
  (509, 101, 'CNRY', 'CNRY reply of the shop', '1', 'comment', 501);
INSERT INTO wp_commentmeta (comment_id, meta_key, meta_value) VALUES
  (501, 'rating', '5'), (501, 'verified', '1'), (502, 'rating', '3'), (502, 'verified', '0'), (503, 'rating', '1'),
  (504, 'rating', '1'), (505, 'rating', '1'), (507, 'rating', '1'), (508, 'rating', '0');
INSERT INTO wp_users VALUES (1, 'CNRY_admin', 'CNRY_hash', 'cnry@canary.example', 'CNRY name');
INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (1, 'billing_phone', 'CNRY_phone');
INSERT INTO wp_wc_orders VALUES (215, 'wc-completed', 7919.12, 1, 'cnry@canary.example', 'CNRY_ip', 'CNRY_note');
INSERT INTO wp_woocommerce_downloadable_product_permissions VALUES (1, 'CNRY_id', 101, 'CNRY_key', 'cnry@canary.example');
