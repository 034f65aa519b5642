-- Approved reviews with stars, of products whose reviews the shop shows: those that its average counts, so also an answer with stars,
-- and what an import wrote as a plain comment. Order notes are comments, too, with another type. No picture: Gravatar's addresses are made from e-mail addresses. Of several rows with the same key the first counts.
SELECT
  c.comment_ID AS id,
  c.comment_post_ID AS product_id,
  CAST(r.meta_value AS SIGNED) AS rating,
  '' AS title,
  -- The shop shows line breaks.
  REPLACE(REPLACE(c.comment_content, CHAR(13 USING utf8mb4), ''), CHAR(10 USING utf8mb4), '<br>') AS body_html,
  CASE WHEN TRIM(c.comment_author) = '' THEN 'Anonymous' ELSE c.comment_author END AS customer_display_name_html,
  '' AS customer_avatar,
  COALESCE(v.meta_value = '1', 0) AS verified_purchase,
  CASE
    WHEN c.comment_date_gmt > '1970-01-01 00:00:00' THEN c.comment_date_gmt
    ELSE COALESCE(CONVERT_TZ(c.comment_date, s.zone, '+00:00'), c.comment_date - INTERVAL s.zone_minutes MINUTE)
  END AS created_at
FROM wp_comments AS c
JOIN settings AS s
JOIN reviewed_products AS p ON p.id = c.comment_post_ID
JOIN wp_commentmeta AS r ON r.meta_value IN ('1', '2', '3', '4', '5')
  AND r.meta_id = (SELECT MIN(m.meta_id) FROM wp_commentmeta AS m WHERE m.comment_id = c.comment_ID AND m.meta_key = 'rating')
LEFT JOIN wp_commentmeta AS v
  ON v.meta_id = (SELECT MIN(m.meta_id) FROM wp_commentmeta AS m WHERE m.comment_id = c.comment_ID AND m.meta_key = 'verified')
WHERE c.comment_type IN ('review', 'comment', '')
  AND c.comment_approved = '1'
