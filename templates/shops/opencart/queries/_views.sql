-- Conditions for what is public. The other files use these like tables.
WITH RECURSIVE
-- The store whose records are public: the default one.
chosen_store (id) AS (
  SELECT 0
),
-- Its settings, by name: keys and passwords are in the same table. What it does not set, it has from the default store.
options (name, value) AS (
  SELECT o.name, o.value
  FROM (
    SELECT s.`key` AS name, s.value, ROW_NUMBER() OVER (PARTITION BY s.`key` ORDER BY s.store_id DESC) AS place
    FROM oc_setting AS s
    JOIN chosen_store AS c ON s.store_id IN (0, c.id)
    WHERE s.`key` IN (
        'config_name', 'config_currency', 'config_language_catalog', 'config_language', 'config_customer_price',
        'config_timezone', 'config_customer_group_id'
      )
  ) AS o
  WHERE o.place = 1
),
-- The language of texts: the store's for visitors.
chosen_language (code) AS (
  SELECT o.value FROM options AS o WHERE o.name IN ('config_language_catalog', 'config_language') ORDER BY o.name DESC LIMIT 1
),
settings (store_id, store_name, currency, hides_prices, time_zone, visitors) AS (
  SELECT
    (SELECT c.id FROM chosen_store AS c),
    MAX(CASE WHEN o.name = 'config_name' THEN o.value END),
    MAX(CASE WHEN o.name = 'config_currency' THEN o.value END),
    MAX(CASE WHEN o.name = 'config_customer_price' THEN o.value END),
    MAX(CASE WHEN o.name = 'config_timezone' THEN o.value END),
    MAX(CASE WHEN o.name = 'config_customer_group_id' THEN o.value END)
  FROM options AS o
),
texts (language_id) AS (
  SELECT l.language_id
  FROM oc_language AS l
  JOIN chosen_language AS c ON c.code = l.code
),
-- The shop's local time, in which its database session compares days; if the server does not know the zone, the earliest and the
-- latest time that it may be.
clock (moment, latest) AS (
  SELECT
    COALESCE(CONVERT_TZ(@now, '+00:00', s.time_zone), @now - INTERVAL 12 HOUR),
    COALESCE(CONVERT_TZ(@now, '+00:00', s.time_zone), @now + INTERVAL 14 HOUR)
  FROM settings AS s
),
-- Disabled categories, and all below them. Found by their parents: in `category_path` rows may be missing, which a button of the shop makes.
closed_categories (id) AS (
  SELECT c.category_id FROM oc_category AS c WHERE COALESCE(c.status, 0) <> 1
  UNION
  SELECT c.category_id
  FROM closed_categories AS p
  JOIN oc_category AS c ON c.parent_id = p.id
),
-- Categories of the store that are enabled, with all their ancestors, and have a name in its language.
public_categories (id) AS (
  SELECT c.category_id
  FROM oc_category AS c
  CROSS JOIN settings AS s
  CROSS JOIN texts AS t
  JOIN oc_category_description AS d ON d.category_id = c.category_id AND d.language_id = t.language_id AND d.name <> ''
  JOIN oc_category_to_store AS h ON h.category_id = c.category_id AND h.store_id = s.store_id
  WHERE c.category_id NOT IN (SELECT k.id FROM closed_categories AS k)
),
shelves (product_id, category_id) AS (
  SELECT p.product_id, MIN(p.category_id)
  FROM oc_product_to_category AS p
  JOIN public_categories AS c ON c.id = p.category_id
  GROUP BY p.product_id
),
-- Products that the shop's search lists: enabled, available, in the store, with a text in its language.
published_products (id, category_id, is_shelved, hides_price, has_price, has_name) AS (
  SELECT
    p.product_id,
    s.category_id,
    s.category_id IS NOT NULL
      OR NOT EXISTS (SELECT 1 FROM oc_product_to_category AS c WHERE c.product_id = p.product_id),
    COALESCE(o.hides_prices, '0') = '1',
    p.price IS NOT NULL,
    d.name <> ''
  FROM oc_product AS p
  CROSS JOIN settings AS o
  CROSS JOIN texts AS t
  CROSS JOIN clock AS n
  JOIN oc_product_to_store AS h ON h.product_id = p.product_id AND h.store_id = o.store_id
  JOIN oc_product_description AS d ON d.product_id = p.product_id AND d.language_id = t.language_id
  LEFT JOIN shelves AS s ON s.product_id = p.product_id
  WHERE p.status = 1 AND p.date_available <= n.moment
),
-- Published products with a name that show a price, and are in a public category or in none at all.
public_products (id, category_id) AS (
  SELECT p.id, p.category_id
  FROM published_products AS p
  WHERE NOT p.hides_price AND p.has_price AND p.has_name AND p.is_shelved
),
-- Prices of one piece for the group of visitors: a price (F), a share that is taken off (P) or an amount (S). Beside a special one
-- the shop shows the price before; any other is the price.
offers (id, product_id, is_special, priority, value, kind, begins, ends) AS (
  SELECT d.product_discount_id, d.product_id, d.special, d.priority, d.price, d.type, d.date_start, d.date_end
  FROM oc_product_discount AS d
  JOIN settings AS s ON s.visitors = d.customer_group_id
  WHERE d.quantity = 1
),
-- Of those that run now, the one that the shop takes: by priority, then by the lowest number, whatever its kind. Days are midnights,
-- so an offer ends as its last day begins; the zero date means always. A special price of 0 is not shown.
running_offers (product_id, is_special, price) AS (
  SELECT f.product_id, f.is_special, f.price
  FROM (
    SELECT
      o.product_id,
      o.is_special,
      CASE o.kind WHEN 'P' THEN p.price - p.price * o.value / 100 WHEN 'S' THEN p.price - o.value ELSE o.value END AS price,
      ROW_NUMBER() OVER (PARTITION BY o.product_id, o.is_special ORDER BY o.priority, o.value, o.id) AS place
    FROM offers AS o
    JOIN oc_product AS p ON p.product_id = o.product_id
    CROSS JOIN clock AS n
    WHERE (o.begins < '1000-01-01' OR o.begins < n.moment) AND (o.ends < '1000-01-01' OR o.ends > n.latest)
  ) AS f
  WHERE f.place = 1 AND NOT (f.is_special = 1 AND f.price = 0)
)
