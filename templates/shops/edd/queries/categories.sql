-- Categories in which a public download stands, and one for those that have none; of an empty one nobody can tell whether it is known yet.
SELECT
  CAST(t.term_id AS SIGNED) AS id,
  t.name AS name_html,
  CASE WHEN t.slug LIKE '%\%%' THEN t.name ELSE t.slug END AS slug_source,
  COALESCE(x.description, '') AS description_wordpress,
  CASE
    WHEN w.front IS NULL THEN CONCAT(w.path, '/?download_category=', t.slug)
    ELSE CONCAT(w.path, w.front, 'downloads/category/', a.path, w.slash)
  END AS url
FROM wp_term_taxonomy AS x
JOIN wp_terms AS t ON t.term_id = x.term_id
JOIN site AS w
LEFT JOIN paths AS a ON a.category_id = x.term_id
WHERE x.taxonomy = 'download_category'
  AND x.term_id IN (SELECT d.category_id FROM public_downloads AS d)
UNION ALL
SELECT 2147483647, 'Uncategorised', 'uncategorised', '', ''
WHERE EXISTS (SELECT 1 FROM public_downloads AS p WHERE p.category_id IS NULL)
