-- Chinook has none: the columns, and no row.
SELECT
  0 AS id,
  '' AS title,
  '' AS slug,
  '' AS type,
  '' AS subforum_slug,
  '' AS subforum_name,
  NULL AS category_slug,
  NULL AS category_name,
  '' AS author_display_name,
  0 AS pinned,
  0 AS locked,
  0 AS solved,
  '' AS created_at,
  '' AS last_activity_at,
  '' AS url,
  '' AS content_html,
  '[]' AS replies
WHERE FALSE
