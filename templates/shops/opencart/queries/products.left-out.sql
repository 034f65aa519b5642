-- Products that the shop's search lists and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.id AS id,
  d.name AS title,
  CASE
    WHEN p.hides_price THEN 'without a price that visitors are shown'
    WHEN NOT p.has_price THEN 'without a price'
    WHEN NOT p.has_name THEN 'without a name in the language of the shop'
    ELSE 'in no public category'
  END AS reason
FROM published_products AS p
CROSS JOIN texts AS t
JOIN oc_product_description AS d ON d.product_id = p.id AND d.language_id = t.language_id
WHERE p.id NOT IN (SELECT v.id FROM public_products AS v)
