-- Products that the shop shows and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.ID AS id,
  p.post_title AS title,
  COALESCE(v.hidden, CASE
    WHEN k.kind IN ('variable', 'grouped') AND v.id NOT IN (SELECT s.product_id FROM parts AS s)
      THEN CASE k.kind WHEN 'grouped' THEN 'without a part that is shown' ELSE 'without a variant that is shown' END
    ELSE 'without a price'
  END) AS reason
FROM published_products AS v
JOIN wp_posts AS p ON p.ID = v.id
LEFT JOIN kinds AS k ON k.product_id = v.id
WHERE v.id NOT IN (SELECT o.id FROM public_products AS o)
