-- Public collections with a public product, and one for public products without a collection.
SELECT
  c.id AS id,
  t.name AS name,
  t.slug AS slug_source,
  t.description AS description_html,
  '/collections/' || t.slug AS url
FROM collection AS c
JOIN collection_texts AS t ON t.collection_id = c.id
WHERE c.id IN (SELECT p.collection_id FROM public_products AS p)
UNION ALL
SELECT 2147483648, 'Uncategorised', 'uncategorised', '', ''
WHERE EXISTS (SELECT 1 FROM public_products AS p WHERE p.collection_id IS NULL)
