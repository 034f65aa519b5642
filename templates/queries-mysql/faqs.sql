-- Active questions for everybody: the general ones, and those of public products.
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
  f.id AS id,
  f.product_id AS product_id,
  f.category AS type,
  f.question AS question,
  f.answer_html AS answer_html,
  f.position AS position
FROM faqs AS f
LEFT JOIN public_products AS v ON v.id = f.product_id
WHERE f.is_active = 1
  AND f.audience = 'public'
  AND (f.product_id IS NULL OR v.id IS NOT NULL)
