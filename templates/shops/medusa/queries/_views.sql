-- Conditions for what is public. The other files use these like tables.
-- Medusa's ids are texts; numbers are made from the first 48 bits of their digests.
WITH RECURSIVE
-- The sales channel whose products are public, and the currency of prices: the store's default ones.
settings (channel_id, currency) AS (
  SELECT s.default_sales_channel_id, c.currency_code
  FROM store AS s
  JOIN store_currency AS c ON c.store_id = s.id AND c.is_default AND c.deleted_at IS NULL
  WHERE s.deleted_at IS NULL
),
-- Categories for visitors: active and not internal, with all their ancestors.
public_categories (id) AS (
  SELECT c.id
  FROM product_category AS c
  WHERE c.parent_category_id IS NULL AND c.is_active AND NOT c.is_internal AND c.deleted_at IS NULL
  UNION ALL
  SELECT c.id
  FROM product_category AS c
  JOIN public_categories AS p ON p.id = c.parent_category_id
  WHERE c.is_active AND NOT c.is_internal AND c.deleted_at IS NULL
),
shelves (product_id, category_id) AS (
  SELECT r.product_id, MIN(r.product_category_id COLLATE "C")
  FROM product_category_product AS r
  JOIN public_categories AS c ON c.id = r.product_category_id
  GROUP BY r.product_id
),
-- Prices for everybody who buys one piece: without a rule for a group, region or cart. A price list is a sale, or replaces the price.
prices (product_id, variant_id, list_type, starts_at, ends_at, amount) AS (
  SELECT v.product_id, v.id, l.type, l.starts_at, l.ends_at, p.amount
  FROM product_variant AS v
  JOIN product_variant_price_set AS s ON s.variant_id = v.id AND s.deleted_at IS NULL
  JOIN price AS p ON p.price_set_id = s.price_set_id AND p.deleted_at IS NULL
  CROSS JOIN settings AS c
  LEFT JOIN price_list AS l ON l.id = p.price_list_id
  WHERE v.deleted_at IS NULL
    AND p.currency_code = c.currency
    AND COALESCE(p.min_quantity, 1) <= 1
    AND COALESCE(p.rules_count, 0) = 0
    AND (p.price_list_id IS NULL OR (l.status = 'active' AND l.deleted_at IS NULL AND COALESCE(l.rules_count, 0) = 0))
),
-- Prices of each variant: the one that a price list currently replaces it with, otherwise its own; and its sale price.
variants (product_id, regular, sale) AS (
  SELECT
    p.product_id,
    COALESCE(MIN(p.amount) FILTER (WHERE p.list_type = 'override'), MIN(p.amount) FILTER (WHERE p.list_type IS NULL)),
    MIN(p.amount) FILTER (WHERE p.list_type = 'sale')
  FROM prices AS p
  WHERE (p.starts_at IS NULL OR p.starts_at <= current_setting('vitrine.now')::timestamptz)
    AND (p.ends_at IS NULL OR p.ends_at > current_setting('vitrine.now')::timestamptz)
  GROUP BY p.product_id, p.variant_id
),
lowest (product_id, price, listed) AS (
  SELECT v.product_id, MIN(v.regular), MIN(v.sale)
  FROM variants AS v
  GROUP BY v.product_id
),
-- Products that the shop shows: published, in the default sales channel; no gift cards.
published_products (id) AS (
  SELECT p.id
  FROM product AS p
  CROSS JOIN settings AS c
  JOIN product_sales_channel AS h ON h.product_id = p.id AND h.sales_channel_id = c.channel_id AND h.deleted_at IS NULL
  JOIN sales_channel AS n ON n.id = c.channel_id AND NOT n.is_disabled AND n.deleted_at IS NULL
  WHERE p.status = 'published' AND p.deleted_at IS NULL AND NOT p.is_giftcard
),
-- Published products with a price, and with a public category or none at all.
public_products (id, category_id, price, listed) AS (
  SELECT p.id, s.category_id, l.price, l.listed
  FROM published_products AS p
  JOIN lowest AS l ON l.product_id = p.id AND l.price IS NOT NULL
  LEFT JOIN shelves AS s ON s.product_id = p.id
  WHERE s.category_id IS NOT NULL
    OR NOT EXISTS (
      SELECT 1
      FROM product_category_product AS r
      JOIN product_category AS k ON k.id = r.product_category_id AND k.deleted_at IS NULL
      WHERE r.product_id = p.id
    )
)
