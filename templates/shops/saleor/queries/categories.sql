-- Categories with a public product. Saleor cannot hide a category, so empty ones are left out: they may be unannounced.
SELECT
  c.id AS id,
  c.name AS name,
  c.slug AS slug_source,
  COALESCE((SELECT d.html FROM descriptions AS d WHERE d.kind = 'category' AND d.id = c.id), '') AS description_html,
  '/categories/' || c.slug AS url
FROM product_category AS c
WHERE c.id IN (SELECT p.category_id FROM product_product AS p JOIN public_products AS v ON v.id = p.id)
