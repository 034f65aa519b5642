-- Approved reviews of public products. A reviewer without a display name is Anonymous, without a picture.
-- A purchase is verified when the review is written; a later refund does not change that, so it does not show.
SELECT
  r.id AS id,
  r.product_id AS product_id,
  r.rating AS rating,
  COALESCE(r.title, '') AS title,
  COALESCE(r.body, '') AS body,
  COALESCE(NULLIF(TRIM(r.display_name), ''), 'Anonymous') AS customer_display_name,
  CASE WHEN TRIM(r.display_name) <> '' THEN COALESCE(r.avatar_url, '') ELSE '' END AS customer_avatar,
  r.order_id IS NOT NULL AS verified_purchase,
  r.created_at AS created_at
FROM reviews AS r
JOIN public_products AS v ON v.id = r.product_id
WHERE r.status = 'approved'
