-- Products that the shop shows and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.id AS id,
  COALESCE(d.name, '') AS title,
  CASE
    WHEN NOT p.shows_price THEN 'without a price that visitors are shown'
    WHEN NOT p.is_shelved THEN 'in no public category'
    ELSE 'without a name in the language of the shop'
  END AS reason
FROM published_products AS p
CROSS JOIN texts AS t
LEFT JOIN oc_product_description AS d ON d.product_id = p.id AND d.language_id = t.language_id AND d.name <> ''
WHERE NOT (p.shows_price AND p.is_shelved) OR d.product_id IS NULL
