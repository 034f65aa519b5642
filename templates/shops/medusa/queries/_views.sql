-- Conditions for what is public. The other files use these like tables.
-- Medusa's ids are texts; numbers are made from the first 48 bits of their digests.
WITH RECURSIVE
-- The sales channels of each publishable key with a published product, as one text: a storefront sends such a key.
key_channels (channels, created_at) AS (
  SELECT string_agg(h.sales_channel_id, '+' ORDER BY h.sales_channel_id COLLATE "C"), k.created_at
  FROM api_key AS k
  JOIN publishable_api_key_sales_channel AS h ON h.publishable_key_id = k.id AND h.deleted_at IS NULL
  WHERE k.type = 'publishable'
    AND k.deleted_at IS NULL
    AND (k.revoked_at IS NULL OR k.revoked_at > current_setting('vitrine.now')::timestamptz)
  GROUP BY k.id, k.created_at
  HAVING BOOL_OR(EXISTS (
    SELECT 1
    FROM product_sales_channel AS c
    JOIN product AS p ON p.id = c.product_id AND p.status = 'published' AND p.deleted_at IS NULL
    WHERE c.sales_channel_id = h.sales_channel_id AND c.deleted_at IS NULL
  ))
),
-- The sales channels whose products are public: those of the publishable key; of several keys, the oldest one's; without a key,
-- the store's default channel.
chosen_channels (id) AS (
  SELECT c.id
  FROM (SELECT k.channels FROM key_channels AS k ORDER BY k.created_at, k.channels LIMIT 1) AS k
  CROSS JOIN unnest(string_to_array(k.channels, '+')) AS c (id)
  UNION ALL
  SELECT s.default_sales_channel_id
  FROM store AS s
  WHERE s.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM key_channels)
),
-- The currency of prices: the store's default one.
settings (currency) AS (
  SELECT c.currency_code
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
-- Products that the shop lists: published, in one of the channels. A shop with a single channel lists all published products,
-- also those that are in none.
listed_products (id) AS (
  SELECT p.id
  FROM product AS p
  WHERE p.status = 'published'
    AND p.deleted_at IS NULL
    AND ((SELECT COUNT(*) FROM sales_channel AS n WHERE n.deleted_at IS NULL) < 2 OR EXISTS (
      SELECT 1
      FROM product_sales_channel AS h
      JOIN chosen_channels AS c ON c.id = h.sales_channel_id
      WHERE h.product_id = p.id AND h.deleted_at IS NULL
    ))
),
-- Listed products with a price, and with a public category or none at all; no gift cards.
public_products (id, category_id, price, listed) AS (
  SELECT p.id, s.category_id, l.price, l.listed
  FROM listed_products AS o
  JOIN product AS p ON p.id = o.id AND NOT p.is_giftcard
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
