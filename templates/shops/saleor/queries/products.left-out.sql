-- Products that the shop shows and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.id AS id,
  p.name AS title,
  CASE
    WHEN s.price IS NULL THEN CONCAT('without a price in ', c.currency)
    WHEN p.category_id IS NULL THEN 'without a category'
    ELSE 'without a day from which it is sold'
  END AS reason
FROM listed_products AS l
JOIN product_product AS p ON p.id = l.id
CROSS JOIN channel AS c
LEFT JOIN lowest AS s ON s.product_id = l.id
WHERE l.published_at <= current_setting('vitrine.now')::timestamptz AND l.id NOT IN (SELECT v.id FROM public_products AS v)
