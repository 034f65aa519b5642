-- Public categories with a public product, and one for public products that are in none of them.
SELECT
  ('x' || SUBSTR(MD5(c.id), 1, 12))::bit(48)::bigint AS id,
  COALESCE(x.name, c.name) AS name,
  c.handle AS slug_source,
  COALESCE(x.description, c.description, '') AS description,
  -- Medusa makes a category's handle of its name without taking marks out, and checks none that is given: what's-new?, 50%-off.
  '/categories/' || REPLACE(REPLACE(REPLACE(c.handle, '%', '%25'), '#', '%23'), '?', '%3F') AS url
FROM product_category AS c
LEFT JOIN translations AS x ON x.id = c.id
WHERE c.id IN (SELECT p.category_id FROM public_products AS p)
UNION ALL
SELECT 281474976710656, 'Uncategorised', 'uncategorised', '', ''
WHERE EXISTS (SELECT 1 FROM public_products AS p WHERE p.category_id IS NULL)
