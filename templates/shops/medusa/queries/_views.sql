-- Conditions for what is public. The other files use these like tables.
-- Medusa's ids are texts; numbers are made from the first 48 bits of their digests.
WITH
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
-- The region whose prices are public: the store's default one, otherwise the oldest one with the store's default currency.
chosen_region (id) AS (
  SELECT r.id
  FROM region AS r
  JOIN store AS s ON s.deleted_at IS NULL
  LEFT JOIN store_currency AS c ON c.store_id = s.id AND c.is_default AND c.deleted_at IS NULL
  WHERE r.deleted_at IS NULL
  ORDER BY COALESCE(r.id = s.default_region_id, FALSE) DESC, COALESCE(r.currency_code = c.currency_code, FALSE) DESC, r.created_at, r.id
  LIMIT 1
),
-- The currency is the region's; in a shop without a region, the store's default one.
settings (currency, region_id) AS (
  SELECT COALESCE(r.currency_code, c.currency_code), r.id
  FROM store AS s
  LEFT JOIN store_currency AS c ON c.store_id = s.id AND c.is_default AND c.deleted_at IS NULL
  LEFT JOIN region AS r ON r.id IN (SELECT h.id FROM chosen_region AS h)
  WHERE s.deleted_at IS NULL
),
-- The public texts: those of the tables themselves, without a locale. `vitrine init --language` writes a locale here.
chosen_language (code) AS (
  SELECT ''
),
-- Texts of products (title, subtitle, description) and categories (name, description) in that locale, by the record's id.
translations (id, title, subtitle, description, name) AS (
  SELECT NULL::text, NULL::text, NULL::text, NULL::text, NULL::text
  WHERE FALSE
),
-- Categories for visitors. One below a category that is internal or not active is shown, too.
public_categories (id) AS (
  SELECT c.id
  FROM product_category AS c
  WHERE c.is_active AND NOT c.is_internal AND c.deleted_at IS NULL
),
shelves (product_id, category_id) AS (
  SELECT r.product_id, MIN(r.product_category_id COLLATE "C")
  FROM product_category_product AS r
  JOIN public_categories AS c ON c.id = r.product_category_id
  GROUP BY r.product_id
),
-- Prices for a visitor of the region who buys one piece: without a rule, or with a rule for the region alone. `rules` is how many
-- rules a price and its list have.
prices (product_id, variant_id, amount, list_type, rules, starts_at, ends_at) AS (
  SELECT v.product_id, v.id, p.amount, l.type, p.rules_count + COALESCE(l.rules_count, 0), l.starts_at, l.ends_at
  FROM product_variant AS v
  JOIN product_variant_price_set AS s ON s.variant_id = v.id AND s.deleted_at IS NULL
  CROSS JOIN settings AS c
  JOIN price AS p ON p.price_set_id = s.price_set_id AND p.currency_code = c.currency AND p.deleted_at IS NULL
  LEFT JOIN price_list AS l ON l.id = p.price_list_id
  WHERE v.deleted_at IS NULL
    AND COALESCE(p.min_quantity, 1) <= 1
    AND (p.rules_count = 0 OR p.rules_count = (
      SELECT COUNT(*)
      FROM price_rule AS r
      WHERE r.price_id = p.id AND r.attribute = 'region_id' AND r.value = c.region_id AND r.deleted_at IS NULL
    ))
    AND (p.price_list_id IS NULL OR (l.status = 'active' AND l.deleted_at IS NULL AND (l.rules_count = 0 OR l.rules_count = (
      SELECT COUNT(*)
      FROM price_list_rule AS r
      WHERE r.price_list_id = l.id AND r.attribute = 'region_id' AND r.value @> to_jsonb(c.region_id) AND r.deleted_at IS NULL
    ))))
),
-- Current prices in Medusa's order: those with the most rules first, then the lowest. `place` counts a variant's own prices and
-- those of lists separately, `place_of_type` those of each type of list.
ranked (product_id, variant_id, amount, list_type, place, place_of_type) AS (
  SELECT
    p.product_id,
    p.variant_id,
    p.amount,
    p.list_type,
    ROW_NUMBER() OVER (PARTITION BY p.variant_id, p.list_type IS NULL ORDER BY p.rules DESC, p.amount, p.list_type),
    ROW_NUMBER() OVER (PARTITION BY p.variant_id, p.list_type ORDER BY p.rules DESC, p.amount)
  FROM prices AS p
  WHERE (p.starts_at IS NULL OR p.starts_at <= current_setting('vitrine.now')::timestamptz)
    AND (p.ends_at IS NULL OR p.ends_at >= current_setting('vitrine.now')::timestamptz)
),
-- The first prices of each variant: its own, that of any list, that of a list which replaces prices.
firsts (product_id, own, listed, list_type, replaced) AS (
  SELECT
    r.product_id,
    MAX(r.amount) FILTER (WHERE r.list_type IS NULL AND r.place = 1),
    MAX(r.amount) FILTER (WHERE r.list_type IS NOT NULL AND r.place = 1),
    MAX(r.list_type) FILTER (WHERE r.place = 1),
    MAX(r.amount) FILTER (WHERE r.list_type <> 'sale' AND r.place_of_type = 1)
  FROM ranked AS r
  GROUP BY r.product_id, r.variant_id
),
-- What a variant costs: the first price of a list, if that replaces prices; if it is a sale, the lower one of it and the variant's
-- own. Its regular price is the one that replaces, otherwise its own. A price in a sale alone is sold for.
variants (product_id, current, regular) AS (
  SELECT
    f.product_id,
    CASE WHEN f.list_type = 'sale' THEN LEAST(f.own, f.listed) ELSE COALESCE(f.listed, f.own) END,
    COALESCE(f.replaced, f.own)
  FROM firsts AS f
),
lowest (product_id, price, current) AS (
  SELECT v.product_id, MIN(GREATEST(v.regular, v.current)), MIN(v.current)
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
-- Listed products with a price; no gift cards. A category that visitors do not see does not hide its products.
public_products (id, category_id, price, sale_price) AS (
  SELECT p.id, s.category_id, l.price, CASE WHEN l.current < l.price THEN l.current END
  FROM listed_products AS o
  JOIN product AS p ON p.id = o.id AND NOT p.is_giftcard
  JOIN lowest AS l ON l.product_id = p.id AND l.price IS NOT NULL
  LEFT JOIN shelves AS s ON s.product_id = p.id
)
