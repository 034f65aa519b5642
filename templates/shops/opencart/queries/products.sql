-- Prices of one piece for visitors, without tax. OpenCart stores all that was sent to it escaped, names of files too.
SELECT
  p.product_id AS id,
  d.name AS title_html,
  REGEXP_REPLACE(d.name, '&[#a-z0-9]+;', ' ') AS slug_source,
  '' AS excerpt,
  '' AS description_short,
  REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(COALESCE(d.description, ''), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#039;', ''''), '&amp;', '&') AS description_html,
  -- Without a category: the id of the one that categories.sql adds.
  COALESCE(v.category_id, 2147483647) AS category_id,
  'product' AS type,
  'published' AS status,
  -- A special price may also be higher than the regular one.
  GREATEST(COALESCE(r.price, p.price), COALESCE(o.price, 0)) AS price,
  CASE WHEN o.price < COALESCE(r.price, p.price) THEN o.price END AS sale_price,
  NULL AS preorder_price,
  NULL AS extended_price,
  s.currency AS currency,
  (SELECT CAST(u.decimal_place AS UNSIGNED) FROM oc_currency AS u WHERE u.code = s.currency AND u.decimal_place REGEXP '^[0-6]$') AS currency_digits,
  CASE WHEN p.image <> '' THEN CONCAT('/image/', REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(p.image, '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#039;', ''''), '&amp;', '&')) ELSE '' END AS image,
  COALESCE((
    SELECT CONCAT('[', GROUP_CONCAT(
      JSON_QUOTE(CONCAT('/image/', REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(i.image, '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#039;', ''''), '&amp;', '&')))
      ORDER BY i.sort_order, i.product_image_id SEPARATOR ','), ']')
    FROM oc_product_image AS i
    WHERE i.product_id = p.product_id AND i.image <> ''
  ), '[]') AS gallery,
  0 AS featured,
  CONCAT('/index.php?route=product/product&product_id=', p.product_id) AS public_url,
  '' AS demo_url,
  '' AS docs_url,
  COALESCE(CONVERT_TZ(p.date_added, s.time_zone, '+00:00'), p.date_added) AS created_at,
  COALESCE(CONVERT_TZ(COALESCE(p.date_modified, p.date_added), s.time_zone, '+00:00'), p.date_modified, p.date_added) AS updated_at
FROM oc_product AS p
JOIN public_products AS v ON v.id = p.product_id
CROSS JOIN settings AS s
CROSS JOIN texts AS t
JOIN oc_product_description AS d ON d.product_id = p.product_id AND d.language_id = t.language_id
LEFT JOIN running_offers AS r ON r.product_id = p.product_id AND r.is_special = 0
LEFT JOIN running_offers AS o ON o.product_id = p.product_id AND o.is_special = 1
