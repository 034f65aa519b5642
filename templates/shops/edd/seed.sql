-- The tables of Easy Digital Downloads 3 that the queries read, and some private ones, with rows in every state.
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
CREATE TABLE wp_edd_orders (
  id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  status VARCHAR(20),
  customer_id BIGINT UNSIGNED,
  email VARCHAR(100),
  ip VARCHAR(60),
  payment_key VARCHAR(64),
  total DECIMAL(18, 9)
);
CREATE TABLE wp_edd_customers (
  id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  email VARCHAR(100),
  name VARCHAR(255),
  purchase_value DECIMAL(18, 9)
);
CREATE TABLE wp_edd_licenses (
  id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  license_key VARCHAR(255),
  download_id BIGINT UNSIGNED,
  customer_id BIGINT UNSIGNED
);

INSERT INTO wp_options (option_name, option_value) VALUES
  ('home', 'https://edd.example'),
  ('siteurl', 'https://edd.example'),
  ('permalink_structure', '/%postname%/'),
  ('blogname', 'Ada&#039;s Code'),
  ('blogdescription', 'Scripts'),
  ('admin_email', 'cnry@canary.example'),
  ('edd_settings', 'a:2:{s:8:"currency";s:3:"USD";s:10:"stripe_key";s:8:"CNRY_key";}');
INSERT INTO wp_terms (term_id, name, slug) VALUES (1, 'Scripts', 'scripts'), (2, 'Themes', 'themes'), (3, 'CNRY', 'cnry');
INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES
  (11, 1, 'download_category', ''), (12, 2, 'download_category', ''), (13, 3, 'download_category', 'CNRY'),
  (14, 3, 'download_tag', 'CNRY');
-- 101 to 104 are public; each of the others is hidden for one reason.
INSERT INTO wp_posts (ID, post_type, post_title, post_name, post_content, post_excerpt) VALUES
  (101, 'download', 'Invoice Kit', 'invoice-kit', '<p>Invoices.</p>[edd_restrict id="101"]CNRY for buyers[/edd_restrict]', 'Invoices.'),
  (102, 'download', 'Form Kit', 'form-kit', 'One\n\nTwo', ''),
  (103, 'download', 'Both Kits', 'both-kits', '', ''),
  (104, 'download', 'Free Kit', 'free-kit', '', '');
INSERT INTO wp_posts (ID, post_type, post_title, post_name, post_content, post_excerpt, post_status, post_password, post_date_gmt) VALUES
  (201, 'download', 'CNRY draft', 'cnry-draft', 'CNRY', 'CNRY', 'draft', '', '2026-01-01 00:00:00'),
  (202, 'download', 'CNRY private', 'cnry-private', 'CNRY', 'CNRY', 'private', '', '2026-01-01 00:00:00'),
  (203, 'download', 'CNRY pending', 'cnry-pending', 'CNRY', 'CNRY', 'pending', '', '2026-01-01 00:00:00'),
  (204, 'download', 'CNRY trash', 'cnry-trash', 'CNRY', 'CNRY', 'trash', '', '2026-01-01 00:00:00'),
  (205, 'download', 'CNRY password', 'cnry-password', 'CNRY', 'CNRY', 'publish', 'CNRY_pw', '2026-01-01 00:00:00'),
  (206, 'download', 'CNRY scheduled', 'cnry-scheduled', 'CNRY', 'CNRY', 'future', '', '2999-01-01 00:00:00'),
  (207, 'download', 'CNRY not out yet', 'cnry-not-yet', 'CNRY', 'CNRY', 'publish', '', '2999-01-01 00:00:00'),
  (208, 'download', 'CNRY without a price', 'cnry-no-price', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00'),
  (209, 'download', 'Stray Kit', 'stray-kit', 'Nowhere.', 'Nowhere.', 'publish', '', '2026-01-01 00:00:00'),
  (210, 'download', 'CNRY with prices that cannot be read', 'cnry-prices', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00'),
  (211, 'edd_payment', 'cnry@canary.example', 'cnry-payment', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00'),
  (212, 'edd_discount', 'CNRY code', 'cnry-code', 'CNRY', 'CNRY', 'active', '', '2026-01-01 00:00:00'),
  (213, 'edd_license', 'CNRY licence', 'cnry-licence', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00'),
  (214, 'revision', 'CNRY revision', '101-revision-v1', 'CNRY', 'CNRY', 'inherit', '', '2026-01-01 00:00:00'),
  (215, 'download', 'CNRY for members', 'cnry-for-members', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00'),
  (301, 'post', 'Version two', 'version-two', '<p>Out.</p>', '', 'publish', '', '2026-01-01 00:00:00'),
  (302, 'post', 'CNRY draft post', 'cnry-draft-post', 'CNRY', 'CNRY', 'draft', '', '2026-01-01 00:00:00'),
  (303, 'post', 'CNRY password post', 'cnry-pw-post', 'CNRY', 'CNRY', 'publish', 'CNRY_pw', '2026-01-01 00:00:00'),
  (304, 'post', 'CNRY post for buyers', 'cnry-for-buyers', 'CNRY', 'CNRY', 'publish', '', '2026-01-01 00:00:00');
INSERT INTO wp_posts (ID, post_type, post_title, post_content, post_excerpt, post_status, post_mime_type) VALUES
  (401, 'attachment', 'CNRY title of a picture', '', '', 'inherit', 'image/png'),
  (402, 'attachment', 'CNRY picture that is sold', '', '', 'inherit', 'image/png');
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES
  (401, '_wp_attached_file', '2026/01/kit.png'), (402, '_wp_attached_file', 'edd/2026/cnry.png'),
  (101, 'edd_price', '29.00'), (101, '_thumbnail_id', '401'), (101, 'edd_download_files', 'CNRY_files'),
  (101, '_edd_download_sales', '7919123'), (101, '_edd_download_earnings', '7919124.5'), (101, 'edd_product_notes', 'CNRY_notes'),
  (101, '_edd_sl_keys', 'CNRY_keys'), (101, 'edd_sku', 'CNRY_sku'),
  (102, 'edd_price', '0.00'), (102, '_variable_pricing', '1'), (102, '_thumbnail_id', '402'),
  (102, 'edd_variable_prices', 'a:3:{i:1;a:3:{s:5:"index";s:1:"1";s:4:"name";s:8:"Personal";s:6:"amount";s:5:"49.00";}i:2;a:3:{s:5:"index";s:1:"2";s:4:"name";s:8:"Extended";s:6:"amount";s:6:"199.00";}i:3;a:3:{s:5:"index";s:1:"3";s:4:"name";s:6:"Single";s:6:"amount";d:39.5;}}'),
  (103, 'edd_price', '59.50'), (103, '_edd_product_type', 'bundle'), (103, '_edd_bundled_products', 'CNRY_bundled'),
  (104, 'edd_price', '0'),
  (201, 'edd_price', '5'), (202, 'edd_price', '5'), (203, 'edd_price', '5'), (204, 'edd_price', '5'), (205, 'edd_price', '5'),
  (206, 'edd_price', '5'), (207, 'edd_price', '5'), (208, 'edd_price', ''), (209, 'edd_price', '5'),
  (210, 'edd_price', '0.00'), (210, '_variable_pricing', '1'), (210, 'edd_variable_prices', 'a:0:{}'),
  (215, 'edd_price', '5'), (215, 'rcp_subscription_level', 'a:1:{i:0;s:1:"2";}'), (101, 'rcp_user_level', 'a:1:{i:0;s:3:"All";}'),
  (304, '_edd_cr_restricted_to', 'a:1:{i:0;a:1:{s:8:"download";s:3:"101";}}');
INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES
  (101, 11), (101, 14), (102, 11), (103, 12), (104, 11), (201, 13), (202, 13), (203, 13), (204, 13), (205, 13), (206, 13),
  (207, 13), (208, 13), (210, 13);
INSERT INTO wp_comments (comment_ID, comment_post_ID, comment_author, comment_content, comment_approved, comment_type) VALUES
  (501, 101, 'Grace', 'Works &amp; more.\r\nBuy it!', '1', 'edd_review'),
  (502, 101, 'CNRY', 'CNRY not approved', '0', 'edd_review'),
  (503, 101, 'CNRY', 'CNRY not approved by the extension', '1', 'edd_review'),
  (504, 201, 'CNRY', 'CNRY of a draft', '1', 'edd_review'),
  (505, 211, 'CNRY', 'CNRY payment note', '1', 'edd_payment_note'),
  (506, 101, 'CNRY', 'CNRY ordinary comment', '1', 'comment');
INSERT INTO wp_commentmeta (comment_id, meta_key, meta_value) VALUES
  (501, 'edd_rating', '4'), (501, 'edd_review_title', 'Good'), (501, 'edd_review_approved', '1'),
  (502, 'edd_rating', '1'), (502, 'edd_review_approved', '1'), (503, 'edd_rating', '1'), (503, 'edd_review_approved', '0'),
  (504, 'edd_rating', '1'), (504, 'edd_review_approved', '1');
INSERT INTO wp_users VALUES (1, 'CNRY_admin', 'CNRY_hash', 'cnry@canary.example', 'CNRY name');
INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (1, 'first_name', 'CNRY_name');
INSERT INTO wp_edd_orders VALUES (1, 'complete', 1, 'cnry@canary.example', 'CNRY_ip', 'CNRY_payment', 7919.12);
INSERT INTO wp_edd_customers VALUES (1, 'cnry@canary.example', 'CNRY name', 7919.12);
INSERT INTO wp_edd_licenses VALUES (1, 'CNRY_licence_key', 101, 1);
