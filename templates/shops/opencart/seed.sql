-- The tables of OpenCart that the queries read, and some private ones, with rows in every state. CNRY marks what must not
-- become public.
SET sql_mode = '';
CREATE TABLE oc_setting (
  setting_id INT AUTO_INCREMENT PRIMARY KEY,
  store_id INT NOT NULL DEFAULT 0,
  code VARCHAR(128),
  `key` VARCHAR(128),
  value MEDIUMTEXT
);
CREATE TABLE oc_language (language_id INT PRIMARY KEY, name VARCHAR(32), code VARCHAR(5), status TINYINT(1) DEFAULT 1);
CREATE TABLE oc_currency (
  currency_id INT PRIMARY KEY, title VARCHAR(32), code VARCHAR(3) NOT NULL, decimal_place CHAR(1) NOT NULL, value DOUBLE(15, 8), status TINYINT(1)
);
CREATE TABLE oc_store (store_id INT PRIMARY KEY, name VARCHAR(64), url VARCHAR(255));
CREATE TABLE oc_product (
  product_id INT PRIMARY KEY,
  master_id INT DEFAULT 0,
  model VARCHAR(64) DEFAULT 'CNRY_model',
  location VARCHAR(128) DEFAULT 'CNRY_shelf',
  quantity INT DEFAULT 791912,
  image VARCHAR(255) DEFAULT '',
  price DECIMAL(15, 4) DEFAULT 0,
  points INT DEFAULT 791913,
  tax_class_id INT DEFAULT 9,
  date_available DATE DEFAULT '2020-01-01',
  status TINYINT(1) DEFAULT 1,
  sales INT DEFAULT 791914,
  date_added DATETIME DEFAULT '2026-01-01 00:00:00',
  date_modified DATETIME DEFAULT '2026-02-01 00:00:00'
);
CREATE TABLE oc_product_description (
  product_id INT,
  language_id INT,
  name VARCHAR(255),
  description MEDIUMTEXT,
  meta_keyword VARCHAR(255) DEFAULT 'CNRY_keyword',
  PRIMARY KEY (product_id, language_id)
);
CREATE TABLE oc_product_to_store (product_id INT, store_id INT DEFAULT 0, PRIMARY KEY (product_id, store_id));
CREATE TABLE oc_product_to_category (product_id INT, category_id INT, PRIMARY KEY (product_id, category_id));
CREATE TABLE oc_product_image (product_image_id INT PRIMARY KEY, product_id INT, image VARCHAR(255), sort_order INT DEFAULT 0);
CREATE TABLE oc_product_discount (
  product_discount_id INT PRIMARY KEY,
  product_id INT,
  customer_group_id INT,
  quantity INT,
  priority INT DEFAULT 1,
  price DECIMAL(15, 4),
  type CHAR(1) DEFAULT 'F',
  special TINYINT(1) DEFAULT 0,
  date_start DATE DEFAULT '0000-00-00',
  date_end DATE DEFAULT '0000-00-00'
);
CREATE TABLE oc_category (category_id INT PRIMARY KEY, parent_id INT DEFAULT 0, status TINYINT(1) DEFAULT 1);
CREATE TABLE oc_category_description (
  category_id INT,
  language_id INT,
  name VARCHAR(255),
  description MEDIUMTEXT,
  PRIMARY KEY (category_id, language_id)
);
CREATE TABLE oc_category_path (category_id INT, path_id INT, level INT, PRIMARY KEY (category_id, path_id));
CREATE TABLE oc_category_to_store (category_id INT, store_id INT DEFAULT 0, PRIMARY KEY (category_id, store_id));
CREATE TABLE oc_review (
  review_id INT PRIMARY KEY,
  product_id INT,
  customer_id INT DEFAULT 791915,
  author VARCHAR(64),
  text TEXT,
  rating INT,
  status TINYINT(1),
  date_added DATETIME DEFAULT '2026-03-01 00:00:00'
);
CREATE TABLE oc_customer (customer_id INT PRIMARY KEY, firstname VARCHAR(32), email VARCHAR(96), password VARCHAR(255));
CREATE TABLE oc_order_product (order_product_id INT PRIMARY KEY, order_id INT, product_id INT, name VARCHAR(255), price DECIMAL(15, 4));

INSERT INTO oc_setting (store_id, code, `key`, value) VALUES
  (0, 'config', 'config_name', 'Tom &amp; Ada'),
  (0, 'config', 'config_currency', 'USD'),
  (0, 'config', 'config_language_catalog', 'en-gb'),
  (0, 'config', 'config_customer_price', '0'),
  (0, 'config', 'config_timezone', '+02:00'),
  (0, 'config', 'config_customer_group_id', '1'),
  (0, 'config', 'config_mail_smtp_password', 'CNRY_password'),
  (0, 'config', 'config_email', 'cnry@canary.example'),
  (1, 'config', 'config_name', 'CNRY other store');
INSERT INTO oc_language VALUES (1, 'English', 'en-gb', 1), (2, 'Deutsch', 'de-de', 1);
INSERT INTO oc_currency VALUES (1, 'Dollar', 'USD', '2', 1, 1), (2, 'CNRY currency', 'JPY', '0', 7919.12, 1);
INSERT INTO oc_store VALUES (1, 'Second store', 'https://cnry.example/');
INSERT INTO oc_category VALUES (20, 0, 1), (21, 20, 1), (22, 0, 0), (23, 22, 1), (24, 0, 1);
-- Without a path of category 23: OpenCart has a button that makes those which are missing.
INSERT INTO oc_category_path VALUES (20, 20, 0), (21, 20, 0), (21, 21, 1), (22, 22, 0), (24, 24, 0);
INSERT INTO oc_category_to_store VALUES (20, 0), (21, 0), (22, 0), (23, 0), (24, 1);
INSERT INTO oc_category_description VALUES
  (20, 1, 'Phones &amp; PDAs', '&lt;p&gt;All of them.&lt;/p&gt;'),
  (20, 2, 'CNRY other language', ''),
  (21, 1, 'Cases', ''),
  (22, 1, 'CNRY category off', ''),
  (23, 1, 'CNRY below one that is off', ''),
  (24, 1, 'CNRY other store', '');
INSERT INTO oc_product (product_id, image, price) VALUES (40, 'catalog/demo/phone &amp; case.jpg', 101), (41, '', 19.95), (42, '', 5), (43, '', 0);
INSERT INTO oc_product (product_id, price, status, date_available) VALUES
  (50, 1, 0, '2020-01-01'), (51, 1, 1, '2999-01-01'), (52, 1, 1, '2037-11-30'), (53, 1, 1, '2020-01-01'),
  (54, 1, 1, '2020-01-01'), (55, 1, 1, '2020-01-01'), (56, NULL, 1, '2020-01-01'), (57, 1, 1, '2020-01-01'),
  (58, 1, 1, '2020-01-01');
INSERT INTO oc_product_description (product_id, language_id, name, description) VALUES
  (40, 1, 'Phone &quot;One&quot;', '&lt;p&gt;Rings &amp;amp; shines.&lt;/p&gt;'),
  (40, 2, 'CNRY other language', 'CNRY'),
  (41, 1, 'Case', ''), (42, 1, 'Stray', ''), (43, 1, 'Free', ''),
  (50, 1, 'CNRY off', ''), (51, 1, 'CNRY much later', ''), (52, 1, 'CNRY next', ''), (53, 1, 'CNRY other store', ''),
  (54, 1, 'CNRY category off', ''), (55, 1, 'CNRY category below', ''), (56, 1, 'CNRY without a price', ''),
  (57, 2, 'CNRY no text', ''), (58, 1, '', '');
INSERT INTO oc_product_to_store VALUES
  (40, 0), (41, 0), (42, 0), (43, 0), (50, 0), (51, 0), (52, 0), (53, 1), (54, 0), (55, 0), (56, 0), (57, 0), (58, 0);
INSERT INTO oc_product_to_category VALUES
  (40, 20), (40, 22), (41, 21), (43, 20), (50, 20), (51, 20), (52, 20), (53, 24), (54, 22), (55, 23), (56, 20), (57, 20), (58, 20);
INSERT INTO oc_product_image VALUES (1, 40, 'catalog/demo/salt &amp; pepper.jpg', 1), (2, 40, 'catalog/demo/side.jpg', 0), (3, 50, 'CNRY.jpg', 0);
INSERT INTO oc_product_discount (product_discount_id, product_id, customer_group_id, quantity, price, type, special) VALUES
  (1, 40, 7, 1, 79.1923, 'F', 0), (2, 40, 1, 12, 79.1926, 'F', 0), (3, 41, 1, 1, 2, 'S', 0), (4, 42, 1, 1, 4, 'F', 1);
INSERT INTO oc_review (review_id, product_id, author, text, rating, status) VALUES
  (1, 40, 'R&amp;D Lab-CNRY', 'Very &quot;good&quot;.\nBuy &lt;it&gt;!', 5, 1),
  (2, 40, 'cnry@canary.example', 'Fine.', 4, 1),
  (3, 40, 'CNRY', 'CNRY waits', 1, 0),
  (4, 50, 'CNRY', 'CNRY of a product that is off', 1, 1);
INSERT INTO oc_order_product VALUES (2, 791917, 41, 'CNRY ordered too', 79.1925);
INSERT INTO oc_customer VALUES (791915, 'CNRY', 'cnry@canary.example', 'CNRY_hash');
INSERT INTO oc_order_product VALUES (1, 791916, 40, 'CNRY ordered', 79.1924);
