SELECT
  v.id AS id,
  l.name AS title,
  -- The shop's import gives this one address to all whose name it cannot transliterate.
  CASE l.link_rewrite WHEN 'friendly-url-autogeneration-failed' THEN l.name ELSE l.link_rewrite END AS slug_source,
  COALESCE(l.description_short, '') AS excerpt_html,
  COALESCE(l.description_short, '') AS description_short_html,
  COALESCE(l.description, '') AS description_html,
  -- Without a category: the id of the one that categories.sql adds.
  CAST(COALESCE(v.category_id, 2147483647) AS SIGNED) AS category_id,
  CASE WHEN p.cache_is_pack = 1 THEN 'pack' WHEN p.is_virtual = 1 THEN 'virtual' ELSE 'standard' END AS type,
  'published' AS status,
  COALESCE(r.regular, v.price) AS price,
  CASE WHEN r.price < r.regular THEN r.price END AS sale_price,
  NULL AS preorder_price,
  NULL AS extended_price,
  c.iso_code AS currency,
  c.`precision` AS currency_digits,
  COALESCE((
    SELECT CONCAT('/img/p/', REGEXP_REPLACE(CAST(i.id_image AS CHAR), '([0-9])', '\\1/'), i.id_image, '.jpg')
    FROM ps_image_shop AS i
    WHERE i.id_product = v.id AND i.id_shop = s.shop_id AND i.cover = 1
    LIMIT 1
  ), '') AS image,
  COALESCE((
    SELECT CONCAT('[', GROUP_CONCAT(
      JSON_QUOTE(CONCAT('/img/p/', REGEXP_REPLACE(CAST(i.id_image AS CHAR), '([0-9])', '\\1/'), i.id_image, '.jpg'))
      ORDER BY m.position, i.id_image SEPARATOR ','), ']')
    FROM ps_image_shop AS i
    JOIN ps_image AS m ON m.id_image = i.id_image
    WHERE i.id_product = v.id AND i.id_shop = s.shop_id
  ), '[]') AS gallery,
  0 AS featured,
  CONCAT('/index.php?id_product=', v.id, '&controller=product') AS public_url,
  '' AS demo_url,
  '' AS docs_url,
  COALESCE(CONVERT_TZ(h.date_add, s.time_zone, '+00:00'), h.date_add) AS created_at,
  COALESCE(CONVERT_TZ(h.date_upd, s.time_zone, '+00:00'), h.date_upd) AS updated_at
FROM public_products AS v
CROSS JOIN settings AS s
JOIN ps_product AS p ON p.id_product = v.id
JOIN ps_product_shop AS h ON h.id_product = v.id AND h.id_shop = s.shop_id
JOIN ps_product_lang AS l ON l.id_product = v.id AND l.id_lang = s.language_id AND l.id_shop = s.shop_id AND l.name <> ''
JOIN ps_currency AS c ON c.id_currency = s.currency_id
LEFT JOIN running_sales AS r ON r.product_id = v.id
