-- Conditions for what is public. The other files use these like tables.
WITH RECURSIVE
-- Visible categories: enabled, with all their ancestors.
visible_categories (id) AS (
  SELECT c.id FROM categories AS c WHERE c.parent_id IS NULL AND c.is_visible = 1
  UNION ALL
  SELECT c.id FROM categories AS c JOIN visible_categories AS v ON v.id = c.parent_id WHERE c.is_visible = 1
),
-- Products for everybody, including scheduled ones. A product's category is its primary one if that is visible, otherwise the
-- first visible one.
admitted_products (id, category_id, published_at) AS (
  SELECT s.id, s.category_id, s.published_at
  FROM (
    SELECT p.id, p.published_at, (
      SELECT COALESCE(MIN(CASE WHEN pc.is_primary = 1 THEN pc.category_id END), MIN(pc.category_id))
      FROM product_categories AS pc
      JOIN visible_categories AS v ON v.id = pc.category_id
      WHERE pc.product_id = p.id
    ) AS category_id
    FROM products AS p
    WHERE p.status IN ('published', 'scheduled')
      AND p.visibility = 'visible'
      AND p.deleted_at IS NULL
      AND COALESCE(p.password, '') = ''
      AND p.published_at IS NOT NULL
  ) AS s
  WHERE s.category_id IS NOT NULL
),
-- Reviews, releases and FAQs of a product are public only if the product is in this list.
public_products (id, category_id) AS (
  SELECT a.id, a.category_id FROM admitted_products AS a WHERE a.published_at <= @now
)
