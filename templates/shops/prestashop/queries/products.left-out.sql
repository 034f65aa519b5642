-- Products that the shop shows and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.id AS id,
  l.name AS title,
  COALESCE(
    p.hidden,
    CASE WHEN p.shows_price THEN 'in no public category' ELSE 'without a price that visitors are shown' END
  ) AS reason
FROM published_products AS p
CROSS JOIN settings AS s
JOIN ps_product_lang AS l ON l.id_product = p.id AND l.id_lang = s.language_id AND l.id_shop = s.shop_id
WHERE p.id NOT IN (SELECT v.id FROM public_products AS v)
