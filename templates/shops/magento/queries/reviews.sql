-- Approved reviews of the store with stars; the rating is the mean of a review's votes.
SELECT
  r.review_id AS id,
  r.entity_pk_value AS product_id,
  (SELECT CAST(ROUND(AVG(v.value)) AS SIGNED) FROM mage_rating_option_vote AS v WHERE v.review_id = r.review_id) AS rating,
  d.title AS title,
  d.detail AS body,
  CASE WHEN TRIM(d.nickname) = '' THEN 'Anonymous' ELSE d.nickname END AS customer_display_name,
  '' AS customer_avatar,
  0 AS verified_purchase,
  r.created_at AS created_at
FROM mage_review AS r
JOIN mage_review_entity AS y ON y.entity_id = r.entity_id AND y.entity_code = 'product'
JOIN mage_review_detail AS d ON d.review_id = r.review_id
CROSS JOIN settings AS s
JOIN mage_review_store AS t ON t.review_id = r.review_id AND t.store_id = s.store_id
JOIN public_products AS p ON p.id = r.entity_pk_value
WHERE r.status_id = 1
  AND (SELECT AVG(v.value) FROM mage_rating_option_vote AS v WHERE v.review_id = r.review_id) BETWEEN 1 AND 5
