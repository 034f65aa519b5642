-- Public categories with a public product, and one for public products without a category. OpenCart stores texts escaped.
SELECT
  c.category_id AS id,
  c.name AS name_html,
  REGEXP_REPLACE(c.name, '&[#a-z0-9]+;', ' ') AS slug_source,
  REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(COALESCE(c.description, ''), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#039;', ''''), '&amp;', '&') AS description_html,
  CONCAT('/index.php?route=product/category&path=', c.category_id) AS url
FROM oc_category_description AS c
JOIN texts AS t ON t.language_id = c.language_id
WHERE c.category_id IN (SELECT p.category_id FROM public_products AS p)
UNION ALL
SELECT 2147483647, 'Uncategorised', 'uncategorised', '', ''
WHERE EXISTS (SELECT 1 FROM public_products AS p WHERE p.category_id IS NULL)
