-- The next moment at which the clock alone changes an answer, or NULL: what a build at the moment of the build is good until.
-- Only rows that could then be seen count, so that nothing hidden is given away by a date.
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
),
sales (product_id, price_minor, starts_at, ends_at) AS (
  SELECT
    w.product_id,
    COALESCE(w.sale_price_minor, (p.regular_price_minor * (100 - w.percent) + 50) DIV 100),
    w.starts_at,
    COALESCE(w.ends_at, TIMESTAMP '9999-12-31 23:59:59')
  FROM sale_windows AS w
  JOIN public_products AS v ON v.id = w.product_id
  JOIN products AS p ON p.id = w.product_id
  WHERE w.is_active = 1
    AND w.target_segment IS NULL
    AND w.tier_id IS NULL
    AND COALESCE(w.sale_price_minor, (p.regular_price_minor * (100 - w.percent) + 50) DIV 100) < p.regular_price_minor
),
sale_edges (product_id, moment) AS (
  SELECT s.product_id, s.starts_at FROM sales AS s WHERE s.starts_at > @now
  UNION
  SELECT s.product_id, s.ends_at FROM sales AS s WHERE s.ends_at > @now AND s.ends_at < TIMESTAMP '9999-01-01 00:00:00'
),
preorder_edges (product_id, moment) AS (
  SELECT o.product_id, o.opens_at FROM preorders AS o WHERE o.state = 'open' AND o.opens_at < LEAST(o.closes_at, o.release_at)
  UNION ALL
  SELECT o.product_id, LEAST(o.closes_at, o.release_at)
  FROM preorders AS o
  WHERE o.state = 'open' AND o.opens_at < LEAST(o.closes_at, o.release_at)
  UNION ALL
  SELECT p.id, p.release_at FROM products AS p WHERE p.release_at IS NOT NULL
),
moments (moment) AS (
  -- A product appears.
  SELECT a.published_at FROM admitted_products AS a
  UNION ALL
  -- The lowest running price just before this moment is not the one from it on.
  SELECT e.moment
  FROM sale_edges AS e
  WHERE NOT (
    (SELECT MIN(s.price_minor) FROM sales AS s
     WHERE s.product_id = e.product_id AND s.starts_at < e.moment AND s.ends_at >= e.moment)
    <=> (SELECT MIN(s.price_minor) FROM sales AS s
         WHERE s.product_id = e.product_id AND s.starts_at <= e.moment AND s.ends_at > e.moment)
  )
  UNION ALL
  SELECT e.moment FROM preorder_edges AS e JOIN public_products AS v ON v.id = e.product_id
  UNION ALL
  SELECT r.published_at
  FROM releases AS r
  JOIN public_products AS v ON v.id = r.product_id
  WHERE r.status IN ('listed', 'scheduled')
  UNION ALL
  SELECT b.published_at
  FROM blog_posts AS b
  WHERE b.status IN ('published', 'scheduled') AND COALESCE(b.password, '') = ''
)
SELECT MIN(m.moment) AS next_change_at FROM moments AS m WHERE m.moment > @now
