-- The next moment at which a sale of a public product, of one of its variants or of its grouped parts starts or ends. WordPress
-- publishes scheduled posts with an update.
SELECT MIN(moments.moment) AS next_change_at
FROM (
  SELECT CASE e.side WHEN 'from' THEN d.sale_from ELSE d.sale_until END AS moment
  FROM public_products AS p
  JOIN parts AS s ON s.product_id = p.id
  JOIN details AS d ON d.product_id = s.part_id
  JOIN (SELECT 'from' AS side UNION ALL SELECT 'until') AS e
  WHERE d.sale IS NOT NULL
) AS moments
WHERE moments.moment > UNIX_TIMESTAMP(@now)
