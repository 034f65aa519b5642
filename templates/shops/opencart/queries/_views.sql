-- Conditions for what is public. The other files use these like tables.
WITH
-- Settings of the default store, by name: keys and passwords are in the same table.
settings (store_name, currency, language, hides_prices, time_zone) AS (
  SELECT
    MAX(CASE WHEN s.`key` = 'config_name' THEN s.value END),
    MAX(CASE WHEN s.`key` = 'config_currency' THEN s.value END),
    COALESCE(
      MAX(CASE WHEN s.`key` = 'config_language_catalog' THEN s.value END),
      MAX(CASE WHEN s.`key` = 'config_language' THEN s.value END)
    ),
    MAX(CASE WHEN s.`key` = 'config_customer_price' THEN s.value END),
    MAX(CASE WHEN s.`key` = 'config_timezone' THEN s.value END)
  FROM oc_setting AS s
  WHERE s.store_id = 0
    AND s.`key` IN (
      'config_name', 'config_currency', 'config_language_catalog', 'config_language', 'config_customer_price',
      'config_timezone'
    )
),
texts (language_id) AS (
  SELECT l.language_id
  FROM oc_language AS l
  JOIN settings AS s ON s.language = l.code
),
-- The shop's local time; if its time zone is unknown, the earliest time that it may be.
clock (moment) AS (
  SELECT COALESCE(CONVERT_TZ(@now, '+00:00', s.time_zone), @now - INTERVAL 12 HOUR)
  FROM settings AS s
),
-- Categories of the default store that are enabled, with all their ancestors.
public_categories (id) AS (
  SELECT c.category_id
  FROM oc_category AS c
  JOIN oc_category_to_store AS h ON h.category_id = c.category_id AND h.store_id = 0
  WHERE c.status = 1
    AND NOT EXISTS (
      SELECT 1
      FROM oc_category_path AS p
      JOIN oc_category AS a ON a.category_id = p.path_id
      WHERE p.category_id = c.category_id AND a.status <> 1
    )
),
shelves (product_id, category_id) AS (
  SELECT p.product_id, MIN(p.category_id)
  FROM oc_product_to_category AS p
  JOIN public_categories AS c ON c.id = p.category_id
  GROUP BY p.product_id
),
-- Products that the shop shows: enabled, available, in the default store.
published_products (id, category_id, is_shelved, shows_price) AS (
  SELECT
    p.product_id,
    s.category_id,
    s.category_id IS NOT NULL
      OR NOT EXISTS (SELECT 1 FROM oc_product_to_category AS c WHERE c.product_id = p.product_id),
    COALESCE(o.hides_prices, '0') <> '1' AND p.price IS NOT NULL
  FROM oc_product AS p
  CROSS JOIN settings AS o
  CROSS JOIN clock AS n
  JOIN oc_product_to_store AS h ON h.product_id = p.product_id AND h.store_id = 0
  LEFT JOIN shelves AS s ON s.product_id = p.product_id
  WHERE p.status = 1 AND p.date_available <= n.moment
),
-- Published products that show a price, and are in a public category or in none at all.
public_products (id, category_id) AS (
  SELECT p.id, p.category_id
  FROM published_products AS p
  WHERE p.shows_price AND p.is_shelved
)
