-- What is public, written once: the other files name these as if they were tables.
WITH
settings (shop_id, language_id, currency_id, visitors, time_zone) AS (
  SELECT
    CAST(MAX(CASE WHEN c.name = 'PS_SHOP_DEFAULT' THEN c.value END) AS SIGNED),
    CAST(MAX(CASE WHEN c.name = 'PS_LANG_DEFAULT' THEN c.value END) AS SIGNED),
    CAST(MAX(CASE WHEN c.name = 'PS_CURRENCY_DEFAULT' THEN c.value END) AS SIGNED),
    CAST(MAX(CASE WHEN c.name = 'PS_UNIDENTIFIED_GROUP' THEN c.value END) AS SIGNED),
    MAX(CASE WHEN c.name = 'PS_TIMEZONE' THEN c.value END)
  FROM ps_configuration AS c
  WHERE c.name IN ('PS_SHOP_DEFAULT', 'PS_LANG_DEFAULT', 'PS_CURRENCY_DEFAULT', 'PS_UNIDENTIFIED_GROUP', 'PS_TIMEZONE')
),
-- PrestaShop keeps the shop's own time. Where the server does not know the zone, a sale begins when it is that time
-- everywhere, and ends when it is that time anywhere.
clock (earliest, latest) AS (
  SELECT
    COALESCE(CONVERT_TZ(@now, '+00:00', s.time_zone), @now - INTERVAL 12 HOUR),
    COALESCE(CONVERT_TZ(@now, '+00:00', s.time_zone), @now + INTERVAL 14 HOUR)
  FROM settings AS s
),
-- Categories that a visitor may see: switched on with all those above them, in this shop, and open to visitors.
public_categories (id) AS (
  SELECT c.id_category
  FROM ps_category AS c
  CROSS JOIN settings AS s
  JOIN ps_category_shop AS h ON h.id_category = c.id_category AND h.id_shop = s.shop_id
  JOIN ps_category_group AS g ON g.id_category = c.id_category AND g.id_group = s.visitors
  WHERE c.active = 1
    AND c.is_root_category = 0
    AND c.id_parent <> 0
    AND NOT EXISTS (
      SELECT 1
      FROM ps_category AS a
      LEFT JOIN ps_category_group AS ag ON ag.id_category = a.id_category AND ag.id_group = s.visitors
      WHERE a.nleft < c.nleft AND a.nright > c.nright AND a.id_parent <> 0 AND (a.active = 0 OR ag.id_group IS NULL)
    )
),
-- The category of a product: its default one where that is public, else the public one with the smallest id.
shelves (product_id, category_id) AS (
  SELECT p.id_product, COALESCE(MIN(CASE WHEN p.id_category = d.id_category_default THEN p.id_category END), MIN(p.id_category))
  FROM ps_category_product AS p
  JOIN public_categories AS c ON c.id = p.id_category
  CROSS JOIN settings AS s
  JOIN ps_product_shop AS d ON d.id_product = p.id_product AND d.id_shop = s.shop_id
  GROUP BY p.id_product
),
-- What the shop shows: active, to be found somewhere, no draft. A price is shown where visitors are shown prices at all.
-- `hidden` says where a product is not to be found.
published_products (id, price, shows_price, hidden) AS (
  SELECT
    h.id_product,
    h.price,
    (h.available_for_order = 1 OR h.show_price = 1) AND g.show_prices = 1,
    CASE h.visibility WHEN 'catalog' THEN 'hidden from the search' WHEN 'search' THEN 'hidden from the catalog' END
  FROM ps_product_shop AS h
  CROSS JOIN settings AS s
  JOIN ps_product AS p ON p.id_product = h.id_product
  JOIN ps_group AS g ON g.id_group = s.visitors
  WHERE h.id_shop = s.shop_id AND h.active = 1 AND h.visibility IN ('both', 'catalog', 'search') AND p.state = 1
),
-- Those of them that show a price, and are in a public category or in none below the shop's first one.
public_products (id, category_id, price) AS (
  SELECT p.id, c.category_id, p.price
  FROM published_products AS p
  LEFT JOIN shelves AS c ON c.product_id = p.id
  WHERE p.shows_price
    AND p.hidden IS NULL
    AND (c.category_id IS NOT NULL OR NOT EXISTS (
      SELECT 1
      FROM ps_category_product AS r
      JOIN ps_category AS k ON k.id_category = r.id_category AND k.is_root_category = 0 AND k.id_parent <> 0
      WHERE r.id_product = p.id
    ))
),
-- Prices that everybody gets who buys one: for no customer, group of customers, country, cart or variant. Which products are
-- public is not asked here: MariaDB would find all their categories anew for each of them.
sales (product_id, price, begins, ends) AS (
  SELECT
    r.id_product,
    ROUND(CASE r.reduction_type
      WHEN 'percentage' THEN (CASE WHEN r.price >= 0 THEN r.price ELSE p.price END) * (1 - r.reduction)
      ELSE (CASE WHEN r.price >= 0 THEN r.price ELSE p.price END) - r.reduction
    END, 2),
    r.`from`,
    r.`to`
  FROM ps_specific_price AS r
  CROSS JOIN settings AS s
  JOIN ps_product_shop AS p ON p.id_product = r.id_product AND p.id_shop = s.shop_id
  WHERE r.id_customer = 0
    AND r.id_cart = 0
    AND r.id_country = 0
    AND r.id_product_attribute = 0
    AND r.id_group IN (0, s.visitors)
    AND r.id_shop IN (0, s.shop_id)
    AND r.id_shop_group = 0
    AND r.id_currency IN (0, s.currency_id)
    AND r.from_quantity = 1
),
-- A moment that is not set is before all others.
running_sales (product_id, price) AS (
  SELECT s.product_id, MIN(s.price)
  FROM sales AS s
  CROSS JOIN clock AS c
  WHERE s.begins <= c.earliest AND (s.ends < '1970-01-01 00:00:00' OR s.ends > c.latest)
  GROUP BY s.product_id
)
