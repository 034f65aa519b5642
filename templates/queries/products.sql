-- Products for everybody: published or due, visible both in lists and in search, in a visible category.
-- A product is in its primary category, or if that is hidden in the visible one with the smallest id.
WITH open_preorders (product_id, price_minor) AS (
  SELECT o.product_id, o.price_minor
  FROM preorders AS o
  WHERE o.state = 'open' AND o.opens_at <= :now AND o.closes_at > :now AND o.release_at > :now
)
SELECT
  v.id AS id, -- by p.id, SQLite would sort all rows once more
  p.name AS title,
  p.slug AS slug,
  COALESCE(p.excerpt, '') AS excerpt,
  COALESCE(p.short_description, '') AS description_short,
  COALESCE(p.description_html, '') AS description_html,
  v.category_id AS category_id,
  p.type AS type,
  CASE
    WHEN EXISTS (SELECT 1 FROM open_preorders AS o WHERE o.product_id = p.id) THEN 'preorder'
    WHEN p.release_at > :now THEN 'coming_soon'
    ELSE 'published'
  END AS status,
  COALESCE(p.regular_price_minor, 0) AS price_minor,
  -- Sales that run now, for everybody, of the product itself; the lowest price of several.
  (
    SELECT MIN(COALESCE(w.sale_price_minor, (p.regular_price_minor * (100 - w.percent) + 50) / 100))
    FROM sale_windows AS w
    WHERE w.product_id = p.id
      AND w.is_active = 1
      AND w.target_segment IS NULL
      AND w.tier_id IS NULL
      AND w.starts_at <= :now
      AND (w.ends_at IS NULL OR w.ends_at > :now)
      AND COALESCE(w.sale_price_minor, (p.regular_price_minor * (100 - w.percent) + 50) / 100) < p.regular_price_minor
  ) AS sale_price_minor,
  (SELECT MIN(o.price_minor) FROM open_preorders AS o WHERE o.product_id = p.id) AS preorder_price_minor,
  (
    SELECT MIN(t.price_minor)
    FROM license_tiers AS t
    WHERE t.product_id = p.id AND t.slug = 'extended' AND t.is_active = 1
  ) AS extended_price_minor,
  p.currency AS currency,
  COALESCE((
    SELECT m.url
    FROM product_media AS m
    WHERE m.product_id = p.id AND m.kind = 'image' AND m.is_private = 0
    ORDER BY m.position, m.id
    LIMIT 1
  ), '') AS image,
  (
    SELECT json_group_array(m.url ORDER BY m.position, m.id)
    FROM product_media AS m
    WHERE m.product_id = p.id AND m.kind = 'image' AND m.is_private = 0
  ) AS gallery,
  p.featured AS featured,
  '/product/' || p.slug AS public_url,
  COALESCE(p.demo_url, '') AS demo_url,
  COALESCE(p.docs_url, '') AS docs_url,
  p.created_at AS created_at,
  p.updated_at AS updated_at
FROM public_products AS v
JOIN products AS p ON p.id = v.id
