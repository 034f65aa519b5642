-- Approved reviews. Only the first word of a name is shown: the rest may be a surname that was not meant to be shown.
-- A name with an e-mail address is not shown at all: its first word may be a part of the address.
SELECT
  r.review_id AS id,
  r.product_id AS product_id,
  r.rating AS rating,
  '' AS title,
  REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(r.text, '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#039;', ''''), '&amp;', '&') AS body,
  CASE WHEN TRIM(r.author) = '' OR r.author LIKE '%@%' THEN 'Anonymous'
    ELSE SUBSTRING_INDEX(TRIM(r.author), ' ', 1) END AS customer_display_name_html,
  '' AS customer_avatar,
  0 AS verified_purchase,
  COALESCE(CONVERT_TZ(r.date_added, s.time_zone, '+00:00'), r.date_added) AS created_at
FROM oc_review AS r
CROSS JOIN settings AS s
JOIN public_products AS p ON p.id = r.product_id
WHERE r.status = 1 AND r.rating BETWEEN 1 AND 5
