-- Public categories with a public product, and one for public products without a category.
SELECT
  CAST(COALESCE(p.category_id, 2147483647) AS SIGNED) AS id,
  COALESCE(l.name, 'Uncategorised') AS name,
  COALESCE(CASE l.link_rewrite WHEN 'friendly-url-autogeneration-failed' THEN l.name ELSE l.link_rewrite END, 'uncategorised') AS slug_source,
  COALESCE(l.description, '') AS description_html,
  CASE WHEN p.category_id IS NULL THEN '' ELSE CONCAT('/index.php?id_category=', p.category_id, '&controller=category') END AS url
FROM (SELECT DISTINCT v.category_id FROM public_products AS v) AS p
CROSS JOIN settings AS s
LEFT JOIN ps_category_lang AS l ON l.id_category = p.category_id AND l.id_lang = s.language_id AND l.id_shop = s.shop_id
WHERE p.category_id IS NULL OR l.id_category IS NOT NULL
