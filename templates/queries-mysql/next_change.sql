-- The next moment at which an answer changes although the database does not, or NULL: this build is current until then. Only
-- rows that are public at that moment count, so that a date reveals nothing hidden.
WITH sales (product_id, price_minor, starts_at, ends_at) AS (
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
  -- The lowest running price changes at this moment.
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
