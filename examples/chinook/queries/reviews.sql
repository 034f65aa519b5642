-- Chinook has none: the columns, and no row.
SELECT
  0 AS id,
  0 AS product_id,
  0 AS rating,
  '' AS title,
  '' AS body,
  '' AS customer_display_name,
  '' AS customer_avatar,
  0 AS verified_purchase,
  '' AS created_at
WHERE FALSE
