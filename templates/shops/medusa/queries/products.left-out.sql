-- Products that the shop lists and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.id AS id,
  p.title AS title,
  CASE
    WHEN p.is_giftcard THEN 'a gift card'
    WHEN l.price IS NULL THEN CONCAT('without a price for everybody in ', UPPER(c.currency))
    ELSE 'in no public category'
  END AS reason
FROM listed_products AS s
JOIN product AS p ON p.id = s.id
CROSS JOIN settings AS c
LEFT JOIN lowest AS l ON l.product_id = s.id
WHERE s.id NOT IN (SELECT v.id FROM public_products AS v)
