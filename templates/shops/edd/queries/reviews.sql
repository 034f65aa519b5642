-- Reviews of the extension of that name: approved by WordPress and by the extension, with stars. Names that are e-mail
-- addresses are not shown, and no picture is: Gravatar's addresses are made of e-mail addresses.
SELECT
  c.comment_ID AS id,
  c.comment_post_ID AS product_id,
  CAST(r.meta_value AS SIGNED) AS rating,
  COALESCE((SELECT MIN(t.meta_value) FROM wp_commentmeta AS t WHERE t.comment_id = c.comment_ID AND t.meta_key = 'edd_review_title'), '')
    AS title_html,
  c.comment_content AS body_html,
  CASE WHEN TRIM(c.comment_author) = '' OR c.comment_author LIKE '%@%' THEN 'Anonymous' ELSE c.comment_author END
    AS customer_display_name,
  '' AS customer_avatar,
  0 AS verified_purchase,
  c.comment_date_gmt AS created_at
FROM wp_comments AS c
JOIN public_downloads AS d ON d.id = c.comment_post_ID
JOIN wp_commentmeta AS r ON r.comment_id = c.comment_ID AND r.meta_key = 'edd_rating' AND r.meta_value IN ('1', '2', '3', '4', '5')
JOIN wp_commentmeta AS a ON a.comment_id = c.comment_ID AND a.meta_key = 'edd_review_approved' AND a.meta_value = '1'
WHERE c.comment_type = 'edd_review'
  AND c.comment_approved = '1'
  AND c.comment_parent = 0
