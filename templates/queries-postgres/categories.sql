-- Categories that can be seen: switched on, and all those above them too.
WITH RECURSIVE visible_categories (id) AS (
  SELECT c.id FROM categories AS c WHERE c.parent_id IS NULL AND c.is_visible
  UNION ALL
  SELECT c.id FROM categories AS c JOIN visible_categories AS v ON v.id = c.parent_id WHERE c.is_visible
)
SELECT
  c.id AS id,
  c.name AS name,
  c.slug AS slug,
  c.description AS description,
  '/category/' || c.slug AS url
FROM categories AS c
JOIN visible_categories AS v ON v.id = c.id
