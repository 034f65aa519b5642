-- Products that the shop lists and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.id AS id,
  l.name AS title,
  CASE
    WHEN p.hidden IS NOT NULL THEN p.hidden
    WHEN NOT p.shows_price THEN 'without a price that visitors are shown'
    WHEN l.name = '' THEN 'without a name in the language of the shop'
    ELSE 'in no public category'
  END AS reason
FROM published_products AS p
CROSS JOIN settings AS s
JOIN ps_product_lang AS l ON l.id_product = p.id AND l.id_lang = s.language_id AND l.id_shop = s.shop_id
WHERE l.name = '' OR p.id NOT IN (SELECT v.id FROM public_products AS v)
