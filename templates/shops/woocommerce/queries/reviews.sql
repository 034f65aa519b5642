-- Approved reviews with stars. Order notes are comments too, of another type and on no product. A name that is an e-mail
-- address is not shown, and no picture is: Gravatar's addresses are made of e-mail addresses.
SELECT
  c.comment_ID AS id,
  c.comment_post_ID AS product_id,
  CAST(r.meta_value AS SIGNED) AS rating,
  '' AS title,
  c.comment_content AS body_html,
  CASE WHEN TRIM(c.comment_author) = '' OR c.comment_author LIKE '%@%' THEN 'Anonymous' ELSE c.comment_author END
    AS customer_display_name,
  '' AS customer_avatar,
  COALESCE(v.meta_value = '1', 0) AS verified_purchase,
  c.comment_date_gmt AS created_at
FROM wp_comments AS c
JOIN public_products AS p ON p.id = c.comment_post_ID
JOIN wp_commentmeta AS r ON r.comment_id = c.comment_ID AND r.meta_key = 'rating' AND r.meta_value IN ('1', '2', '3', '4', '5')
LEFT JOIN wp_commentmeta AS v ON v.comment_id = c.comment_ID AND v.meta_key = 'verified'
WHERE c.comment_type = 'review'
  AND c.comment_approved = '1'
  AND c.comment_parent = 0
