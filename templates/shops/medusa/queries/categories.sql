-- Public categories in which a public product stands.
SELECT
  ('x' || SUBSTR(MD5(c.id), 1, 12))::bit(48)::bigint AS id,
  c.name AS name,
  c.handle AS slug_source,
  COALESCE(c.description, '') AS description,
  '/categories/' || c.handle AS url
FROM product_category AS c
WHERE c.id IN (SELECT p.category_id FROM public_products AS p)
