-- Products that the shop shows and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.id AS id,
  COALESCE((
    SELECT v.value
    FROM mage_catalog_product_entity_varchar AS v
    WHERE v.entity_id = p.id AND v.attribute_id = a.name AND v.store_id IN (0, s.store_id)
    ORDER BY v.store_id DESC
    LIMIT 1
  ), '') AS title,
  CASE
    WHEN p.visibility = 2 THEN 'hidden from the search'
    WHEN p.visibility = 3 THEN 'hidden from the catalog'
    WHEN p.price IS NULL THEN 'without a price'
    WHEN p.id IN (SELECT m.product_id FROM products_with_hidden_prices AS m) THEN 'with a price that is shown in the cart alone'
    ELSE 'in no public category'
  END AS reason
FROM visible_products AS p
CROSS JOIN settings AS s
CROSS JOIN attributes AS a
JOIN shelves AS h ON h.product_id = p.id
WHERE p.visibility <> 4
  OR p.price IS NULL
  OR p.id IN (SELECT m.product_id FROM products_with_hidden_prices AS m)
  OR (h.category_id IS NULL AND h.is_shelved)
