-- Products that everybody may see: published or due, visible in lists and search alike, in a visible category.
-- A product stands in its primary category; where that one is hidden, in the visible one with the smallest id.
-- rows: products.id, product_categories.product_id, sale_windows.product_id, preorders.product_id,
-- rows: license_tiers.product_id, product_media.product_id
WITH
-- Sales that run at this moment, for everybody, of the product itself. Of several, the lowest price.
running_sales (product_id, price_minor) AS (
  SELECT w.product_id, MIN(COALESCE(w.sale_price_minor, (p.regular_price_minor * (100 - w.percent) + 50) / 100))
  FROM sale_windows AS w
  JOIN products AS p ON p.id = w.product_id
  WHERE w.is_active = 1
    AND w.target_segment IS NULL
    AND w.tier_id IS NULL
    AND w.starts_at <= :now
    AND (w.ends_at IS NULL OR w.ends_at > :now)
  GROUP BY w.product_id
),
open_preorders (product_id, price_minor) AS (
  SELECT o.product_id, MIN(o.price_minor)
  FROM preorders AS o
  WHERE o.state = 'open' AND o.opens_at <= :now AND o.closes_at > :now AND o.release_at > :now
  GROUP BY o.product_id
),
extended_tiers (product_id, price_minor) AS (
  SELECT t.product_id, MIN(t.price_minor)
  FROM license_tiers AS t
  WHERE t.slug = 'extended' AND t.is_active = 1
  GROUP BY t.product_id
),
galleries (product_id, urls) AS (
  SELECT m.product_id, json_group_array(m.url ORDER BY m.position, m.id)
  FROM product_media AS m
  WHERE m.kind = 'image' AND m.is_private = 0
  GROUP BY m.product_id
)
SELECT
  p.id AS id,
  p.name AS title,
  p.slug AS slug,
  COALESCE(p.excerpt, '') AS excerpt,
  COALESCE(p.short_description, '') AS description_short,
  COALESCE(p.description_html, '') AS description_html,
  v.category_id AS category_id,
  p.type AS type,
  CASE
    WHEN o.product_id IS NOT NULL THEN 'preorder'
    WHEN p.release_at > :now THEN 'coming_soon'
    ELSE 'published'
  END AS status,
  COALESCE(p.regular_price_minor, 0) AS price_minor,
  CASE WHEN s.price_minor < p.regular_price_minor THEN s.price_minor END AS sale_price_minor,
  o.price_minor AS preorder_price_minor,
  e.price_minor AS extended_price_minor,
  p.currency AS currency,
  COALESCE(json_extract(g.urls, '$[0]'), '') AS image,
  COALESCE(g.urls, '[]') AS gallery,
  p.featured AS featured,
  '/product/' || p.slug AS public_url,
  COALESCE(p.demo_url, '') AS demo_url,
  COALESCE(p.docs_url, '') AS docs_url,
  p.created_at AS created_at,
  p.updated_at AS updated_at
FROM public_products AS v
JOIN products AS p ON p.id = v.id
LEFT JOIN running_sales AS s ON s.product_id = p.id
LEFT JOIN open_preorders AS o ON o.product_id = p.id
LEFT JOIN extended_tiers AS e ON e.product_id = p.id
LEFT JOIN galleries AS g ON g.product_id = p.id
