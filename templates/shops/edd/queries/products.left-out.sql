-- Products that the shop shows and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.ID AS id,
  p.post_title AS title,
  CASE
    WHEN v.hidden IS NOT NULL THEN v.hidden
    WHEN d.has_variants THEN 'without a price that can be read'
    ELSE 'without a price'
  END AS reason
FROM published_downloads AS v
JOIN wp_posts AS p ON p.ID = v.id
LEFT JOIN details AS d ON d.download_id = v.id
WHERE v.id NOT IN (SELECT o.id FROM public_downloads AS o)
