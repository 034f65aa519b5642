-- Reviews of the extension EDD Reviews: approved by WordPress and by the extension, with stars, of downloads for which it is not
-- disabled. No picture: Gravatar's addresses are made from e-mail addresses. Of several rows with the same key the first counts.
SELECT
  c.comment_ID AS id,
  c.comment_post_ID AS product_id,
  CAST(r.meta_value AS SIGNED) AS rating,
  COALESCE((
    SELECT t.meta_value
    FROM wp_commentmeta AS t
    WHERE t.meta_id = (SELECT MIN(m.meta_id) FROM wp_commentmeta AS m WHERE m.comment_id = c.comment_ID AND m.meta_key = 'edd_review_title')
  ), '') AS title_html,
  -- The shop shows line breaks.
  REPLACE(REPLACE(c.comment_content, CHAR(13 USING utf8mb4), ''), CHAR(10 USING utf8mb4), '<br>') AS body_html,
  CASE WHEN TRIM(c.comment_author) = '' THEN 'Anonymous' ELSE c.comment_author END AS customer_display_name_html,
  '' AS customer_avatar,
  0 AS verified_purchase,
  CASE
    WHEN c.comment_date_gmt > '1970-01-01 00:00:00' THEN c.comment_date_gmt
    ELSE COALESCE(CONVERT_TZ(c.comment_date, s.zone, '+00:00'), c.comment_date - INTERVAL s.zone_minutes MINUTE)
  END AS created_at
FROM wp_comments AS c
JOIN settings AS s
JOIN public_downloads AS d ON d.id = c.comment_post_ID
JOIN details AS e ON e.download_id = d.id AND COALESCE(e.reviews, '') <> 'disabled'
JOIN wp_commentmeta AS r ON r.meta_value IN ('1', '2', '3', '4', '5')
  AND r.meta_id = (SELECT MIN(m.meta_id) FROM wp_commentmeta AS m WHERE m.comment_id = c.comment_ID AND m.meta_key = 'edd_rating')
JOIN wp_commentmeta AS a ON a.meta_value = '1'
  AND a.meta_id = (SELECT MIN(m.meta_id) FROM wp_commentmeta AS m WHERE m.comment_id = c.comment_ID AND m.meta_key = 'edd_review_approved')
WHERE c.comment_type = 'edd_review'
  AND c.comment_approved = '1'
  AND c.comment_parent = 0
