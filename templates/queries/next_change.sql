-- The next moment after :now at which an answer changes although the database does not, or NULL: a build at :now is current
-- until then. Only rows that are public at that moment count, so that a date reveals nothing hidden. Rows with a date are
-- selected first (CROSS JOIN keeps that order): few have one, and checking whether a row is public takes longer.
WITH sales (product_id, price_minor, starts_at, ends_at) AS MATERIALIZED (
  SELECT
    w.product_id,
    COALESCE(w.sale_price_minor, (p.regular_price_minor * (100 - w.percent) + 50) / 100),
    w.starts_at,
    COALESCE(w.ends_at, '9999-12-31 23:59:59')
  FROM sale_windows AS w
  JOIN public_products AS v ON v.id = w.product_id
  JOIN products AS p ON p.id = w.product_id
  WHERE w.product_id IN (SELECT c.product_id FROM sale_windows AS c WHERE c.starts_at > :now OR c.ends_at > :now)
    AND w.is_active = 1
    AND w.target_segment IS NULL
    AND w.tier_id IS NULL
    AND COALESCE(w.sale_price_minor, (p.regular_price_minor * (100 - w.percent) + 50) / 100) < p.regular_price_minor
),
sale_edges (product_id, moment) AS (
  SELECT s.product_id, s.starts_at FROM sales AS s WHERE s.starts_at > :now
  UNION
  SELECT s.product_id, s.ends_at FROM sales AS s WHERE s.ends_at > :now AND s.ends_at < '9999'
),
product_dates (product_id, moment) AS (
  SELECT o.product_id, o.opens_at FROM preorders AS o WHERE o.state = 'open' AND o.opens_at < MIN(o.closes_at, o.release_at)
  UNION ALL
  SELECT o.product_id, MIN(o.closes_at, o.release_at)
  FROM preorders AS o
  WHERE o.state = 'open' AND o.opens_at < MIN(o.closes_at, o.release_at)
  UNION ALL
  SELECT p.id, p.release_at FROM products AS p WHERE p.release_at IS NOT NULL
),
moments (moment) AS (
  -- A product appears.
  SELECT p.published_at
  FROM products AS p
  CROSS JOIN admitted_products AS a ON a.id = p.id
  WHERE p.published_at > :now OR p.published_at IS NOT datetime(p.published_at)
  UNION ALL
  -- The lowest running price changes at this moment.
  SELECT e.moment
  FROM sale_edges AS e
  WHERE (SELECT MIN(s.price_minor) FROM sales AS s
         WHERE s.product_id = e.product_id AND s.starts_at < e.moment AND s.ends_at >= e.moment)
    IS NOT (SELECT MIN(s.price_minor) FROM sales AS s
            WHERE s.product_id = e.product_id AND s.starts_at <= e.moment AND s.ends_at > e.moment)
  UNION ALL
  SELECT e.moment
  FROM product_dates AS e
  CROSS JOIN public_products AS v ON v.id = e.product_id
  WHERE e.moment > :now OR e.moment IS NOT datetime(e.moment)
  UNION ALL
  SELECT r.published_at
  FROM releases AS r
  CROSS JOIN public_products AS v ON v.id = r.product_id
  WHERE r.status IN ('listed', 'scheduled')
    AND (r.published_at > :now OR r.published_at IS NOT datetime(r.published_at))
  UNION ALL
  SELECT b.published_at
  FROM blog_posts AS b
  WHERE b.status IN ('published', 'scheduled') AND COALESCE(b.password, '') = ''
)
-- A date in another form than :now's can't be compared: it is returned before all others, and the build refuses it.
SELECT (
  SELECT m.moment
  FROM moments AS m
  WHERE m.moment > :now OR m.moment IS NOT datetime(m.moment)
  ORDER BY m.moment IS datetime(m.moment), m.moment
  LIMIT 1
) AS next_change_at
