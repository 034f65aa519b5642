-- Categories in which a public product stands; Saleor hides none, so of one that is empty nobody can tell.
SELECT
  c.id AS id,
  c.name AS name,
  c.slug AS slug_source,
  COALESCE(c.description_plaintext, '') AS description,
  '/categories/' || c.slug AS url
FROM product_category AS c
WHERE c.id IN (SELECT p.category_id FROM product_product AS p JOIN public_products AS v ON v.id = p.id)
