-- Public categories in which a public product stands.
SELECT
  c.id_category AS id,
  l.name AS name,
  l.link_rewrite AS slug_source,
  COALESCE(l.description, '') AS description_html,
  CONCAT('/index.php?id_category=', c.id_category, '&controller=category') AS url
FROM ps_category AS c
CROSS JOIN settings AS s
JOIN ps_category_lang AS l ON l.id_category = c.id_category AND l.id_lang = s.language_id AND l.id_shop = s.shop_id
WHERE c.id_category IN (SELECT p.category_id FROM public_products AS p)
