-- Texts are passed on as stored: Vitrine finds their public blocks and shortcodes.
SELECT
  p.ID AS id,
  p.post_title AS title_html,
  CASE WHEN p.post_name LIKE '%\%%' THEN REGEXP_REPLACE(p.post_title, '<[^>]*>|&[#A-Za-z0-9]+;', ' ') ELSE p.post_name END AS slug_source,
  p.post_excerpt AS excerpt_wordpress,
  '' AS description_short,
  p.post_content AS description_wordpress,
  -- Without a category: the id of the one that categories.sql adds.
  CAST(COALESCE(v.category_id, 2147483647) AS SIGNED) AS category_id,
  v.kind AS type,
  'published' AS status,
  v.price AS price,
  NULL AS sale_price,
  NULL AS preorder_price,
  v.extended AS extended_price,
  (SELECT u.code FROM currency AS u) AS currency,
  (SELECT u.digits FROM currency AS u) AS currency_digits,
  COALESCE((
    SELECT i.url
    FROM wp_postmeta AS m
    JOIN pictures AS i ON i.id = m.meta_value
    WHERE m.meta_id = (SELECT MIN(f.meta_id) FROM wp_postmeta AS f WHERE f.post_id = p.ID AND f.meta_key = '_thumbnail_id')
  ), '') AS image,
  '[]' AS gallery,
  0 AS featured,
  CASE
    WHEN w.front IS NULL THEN CONCAT(w.path, '/?download=', p.post_name)
    ELSE CONCAT(w.path, w.front, 'downloads/', p.post_name, w.slash)
  END AS public_url,
  '' AS demo_url,
  '' AS docs_url,
  c.published_at AS created_at,
  c.updated_at AS updated_at
FROM public_downloads AS v
JOIN wp_posts AS p ON p.ID = v.id
JOIN dated AS c ON c.id = v.id
JOIN site AS w
