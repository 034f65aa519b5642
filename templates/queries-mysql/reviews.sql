-- Approved reviews of public products. Whoever gave no name to show is Anonymous, and has no picture either.
-- The tick for a verified purchase is given when the review is written; no later refund takes it back, or shows.
WITH RECURSIVE
-- The same in products, reviews, faqs, releases and next_change: what hangs on a product is seen only where it is.
visible_categories (id) AS (
  SELECT c.id FROM categories AS c WHERE c.parent_id IS NULL AND c.is_visible = 1
  UNION ALL
  SELECT c.id FROM categories AS c JOIN visible_categories AS v ON v.id = c.parent_id WHERE c.is_visible = 1
),
shelves (product_id, category_id) AS (
  SELECT pc.product_id, COALESCE(MIN(CASE WHEN pc.is_primary = 1 THEN pc.category_id END), MIN(pc.category_id))
  FROM product_categories AS pc
  JOIN visible_categories AS v ON v.id = pc.category_id
  GROUP BY pc.product_id
),
admitted_products (id, category_id, published_at) AS (
  SELECT p.id, s.category_id, p.published_at
  FROM products AS p
  JOIN shelves AS s ON s.product_id = p.id
  WHERE p.status IN ('published', 'scheduled')
    AND p.visibility = 'visible'
    AND p.deleted_at IS NULL
    AND COALESCE(p.password, '') = ''
    AND p.published_at IS NOT NULL
),
public_products (id, category_id) AS (
  SELECT a.id, a.category_id FROM admitted_products AS a WHERE a.published_at <= @now
)
SELECT
  r.id AS id,
  r.product_id AS product_id,
  r.rating AS rating,
  COALESCE(r.title, '') AS title,
  COALESCE(r.body, '') AS body,
  COALESCE(NULLIF(TRIM(r.display_name), ''), 'Anonymous') AS customer_display_name,
  CASE WHEN TRIM(r.display_name) <> '' THEN COALESCE(r.avatar_url, '') ELSE '' END AS customer_avatar,
  r.order_id IS NOT NULL AS verified_purchase,
  r.created_at AS created_at
FROM reviews AS r
JOIN public_products AS v ON v.id = r.product_id
WHERE r.status = 'approved'
