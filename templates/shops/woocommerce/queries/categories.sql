-- Categories with a public product, and one for products without a category. Empty categories may be unannounced, so they are left out.
SELECT
  CAST(COALESCE(x.term_id, 2147483647) AS SIGNED) AS id,
  COALESCE(t.name, 'Uncategorised') AS name_html,
  CASE WHEN x.term_id IS NULL THEN 'uncategorised' WHEN t.slug LIKE '%\%%' THEN REGEXP_REPLACE(t.name, '<[^>]*>|&[#A-Za-z0-9]+;', ' ') ELSE t.slug END AS slug_source,
  COALESCE(x.description, '') AS description_wordpress,
  CASE
    WHEN x.term_id IS NULL THEN ''
    WHEN w.front IS NULL THEN CONCAT(w.path, '/?product_cat=', t.slug)
    ELSE CONCAT(w.path, w.front, b.category, '/', a.path, w.slash)
  END AS url
FROM (SELECT DISTINCT p.category_id FROM public_products AS p) AS p
JOIN site AS w
JOIN bases AS b
LEFT JOIN wp_term_taxonomy AS x ON x.term_id = p.category_id AND x.taxonomy = 'product_cat'
LEFT JOIN wp_terms AS t ON t.term_id = x.term_id
LEFT JOIN paths AS a ON a.category_id = x.term_id
WHERE x.term_id IS NULL OR t.term_id IS NOT NULL
