-- Products that the shop lists and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.id AS id,
  p.title AS title,
  CASE
    WHEN p.is_giftcard THEN 'a gift card'
    WHEN NOT EXISTS (SELECT 1 FROM product_variant AS v WHERE v.product_id = p.id AND v.deleted_at IS NULL) THEN 'without a variant'
    ELSE CONCAT('without a price for everybody in ', UPPER(c.currency))
  END AS reason
FROM listed_products AS o
JOIN product AS p ON p.id = o.id
CROSS JOIN settings AS c
WHERE o.id NOT IN (SELECT v.id FROM public_products AS v)
