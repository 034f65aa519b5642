-- Categories that can be seen: switched on, and all those above them too.
SELECT
  c.id AS id,
  c.name AS name,
  c.slug AS slug,
  c.description AS description,
  '/category/' || c.slug AS url
FROM categories AS c
JOIN visible_categories AS v ON v.id = c.id
