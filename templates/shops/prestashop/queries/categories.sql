-- Public categories in which a public product stands, and one for public products that have none.
SELECT
  CAST(c.id_category AS SIGNED) AS id,
  l.name AS name,
  l.link_rewrite AS slug_source,
  COALESCE(l.description, '') AS description_html,
  CONCAT('/index.php?id_category=', c.id_category, '&controller=category') AS url
FROM ps_category AS c
CROSS JOIN settings AS s
JOIN ps_category_lang AS l ON l.id_category = c.id_category AND l.id_lang = s.language_id AND l.id_shop = s.shop_id
WHERE c.id_category IN (SELECT p.category_id FROM public_products AS p)
UNION ALL
SELECT 2147483647, 'Uncategorised', 'uncategorised', '', ''
WHERE EXISTS (SELECT 1 FROM public_products AS p WHERE p.category_id IS NULL)
