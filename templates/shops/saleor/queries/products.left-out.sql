-- Products that the shop lists and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.id AS id,
  p.name AS title,
  CASE
    WHEN p.category_id IS NULL THEN 'without a category'
    ELSE 'without a day from which it is sold'
  END AS reason
FROM listed_products AS l
JOIN product_product AS p ON p.id = l.id
WHERE l.published_at <= current_setting('vitrine.now')::timestamptz AND l.id NOT IN (SELECT v.id FROM public_products AS v)
