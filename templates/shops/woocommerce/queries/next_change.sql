-- The next moment at which a sale of a public product starts or ends. What is scheduled, WordPress publishes by a write.
SELECT MIN(moments.moment) AS next_change_at
FROM (
  SELECT d.sale_from AS moment FROM details AS d JOIN public_products AS p ON p.id = d.product_id WHERE d.sale IS NOT NULL
  UNION ALL
  SELECT d.sale_until FROM details AS d JOIN public_products AS p ON p.id = d.product_id WHERE d.sale IS NOT NULL
) AS moments
WHERE moments.moment > UNIX_TIMESTAMP(@now)
