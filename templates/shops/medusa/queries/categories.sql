-- Public categories with a public product, and one for public products without a category.
SELECT
  ('x' || SUBSTR(MD5(c.id), 1, 12))::bit(48)::bigint AS id,
  c.name AS name,
  c.handle AS slug_source,
  COALESCE(c.description, '') AS description,
  '/categories/' || c.handle AS url
FROM product_category AS c
WHERE c.id IN (SELECT p.category_id FROM public_products AS p)
UNION ALL
SELECT 281474976710656, 'Uncategorised', 'uncategorised', '', ''
WHERE EXISTS (SELECT 1 FROM public_products AS p WHERE p.category_id IS NULL)
