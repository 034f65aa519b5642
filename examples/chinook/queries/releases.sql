-- Chinook has none: the columns, and no row.
SELECT
  0 AS id,
  0 AS product_id,
  '' AS version,
  '' AS title,
  '' AS notes_html,
  '' AS release_date,
  '' AS public_url
WHERE FALSE
