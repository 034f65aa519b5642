-- Approved reviews of the module "productcomments". Only the first word of a name is shown: the rest may be a surname that was
-- not meant to be shown. A name with an e-mail address is not shown at all: its first word may be a part of the address.
SELECT
  r.id_product_comment AS id,
  r.id_product AS product_id,
  CAST(ROUND(r.grade) AS SIGNED) AS rating,
  COALESCE(r.title, '') AS title,
  r.content AS body,
  CASE WHEN TRIM(r.customer_name) = '' OR r.customer_name LIKE '%@%' THEN 'Anonymous'
    ELSE SUBSTRING_INDEX(TRIM(r.customer_name), ' ', 1) END AS customer_display_name,
  '' AS customer_avatar,
  0 AS verified_purchase,
  COALESCE(CONVERT_TZ(r.date_add, s.time_zone, '+00:00'), r.date_add) AS created_at
FROM ps_product_comment AS r
CROSS JOIN settings AS s
JOIN public_products AS p ON p.id = r.id_product
WHERE r.validate = 1
  AND r.deleted = 0
  AND ROUND(r.grade) BETWEEN 1 AND 5
