-- What an enclosing shortcode holds may be for members only, so it is left out with the shortcode.
SELECT
  p.ID AS id,
  p.post_title AS title_html,
  CASE WHEN p.post_name LIKE '%\%%' THEN p.post_title ELSE p.post_name END AS slug_source,
  REGEXP_REPLACE(REGEXP_REPLACE(p.post_excerpt,
    '[[]([A-Za-z][A-Za-z0-9_-]*)[^]]*[]](.|\n)*?[[]/\\1[]]', ''), '[[]/?[A-Za-z][^]]*[]]', '') AS excerpt_html,
  '' AS description_short,
  CASE
    WHEN p.post_content LIKE '%<!-- wp:%' THEN REGEXP_REPLACE(REGEXP_REPLACE(p.post_content,
      '[[]([A-Za-z][A-Za-z0-9_-]*)[^]]*[]](.|\n)*?[[]/\\1[]]', ''), '[[]/?[A-Za-z][^]]*[]]', '')
    -- The classic editor keeps paragraphs as empty lines.
    ELSE REPLACE(REPLACE(REGEXP_REPLACE(REGEXP_REPLACE(p.post_content,
      '[[]([A-Za-z][A-Za-z0-9_-]*)[^]]*[]](.|\n)*?[[]/\\1[]]', ''), '[[]/?[A-Za-z][^]]*[]]', ''), '\r', ''), '\n\n', '<p>')
  END AS description_html,
  -- Without a category: the id of the one that categories.sql adds.
  CAST(COALESCE(v.category_id, 2147483647) AS SIGNED) AS category_id,
  v.kind AS type,
  'published' AS status,
  v.price AS price,
  NULL AS sale_price,
  NULL AS preorder_price,
  v.extended AS extended_price,
  (SELECT c.code FROM currency AS c) AS currency,
  COALESCE((SELECT i.url FROM pictures AS i WHERE i.id = d.image_id), '') AS image,
  '[]' AS gallery,
  0 AS featured,
  CASE
    WHEN w.front IS NULL THEN CONCAT(w.path, '/?download=', p.post_name)
    ELSE CONCAT(w.path, w.front, 'downloads/', p.post_name, w.slash)
  END AS public_url,
  '' AS demo_url,
  '' AS docs_url,
  p.post_date_gmt AS created_at,
  p.post_modified_gmt AS updated_at
FROM public_downloads AS v
JOIN wp_posts AS p ON p.ID = v.id
JOIN details AS d ON d.download_id = v.id
JOIN site AS w
