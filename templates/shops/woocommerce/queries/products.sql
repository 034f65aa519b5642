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
  -- For grouped products, the shop shows the current price of their parts.
  CAST(CASE WHEN v.kind = 'grouped' THEN v.current ELSE v.regular END AS CHAR) AS price,
  CAST(CASE WHEN v.kind <> 'grouped' AND v.current < v.regular THEN v.current END AS CHAR) AS sale_price,
  NULL AS preorder_price,
  NULL AS extended_price,
  (SELECT c.option_value FROM wp_options AS c WHERE c.option_name = 'woocommerce_currency') AS currency,
  (
    SELECT CAST(c.option_value AS UNSIGNED)
    FROM wp_options AS c
    WHERE c.option_name = 'woocommerce_price_num_decimals' AND c.option_value REGEXP '^[0-6]$'
  ) AS currency_digits,
  COALESCE((
    SELECT i.url
    FROM wp_postmeta AS m
    JOIN pictures AS i ON i.id = m.meta_value
    WHERE m.meta_id = (SELECT MIN(f.meta_id) FROM wp_postmeta AS f WHERE f.post_id = p.ID AND f.meta_key = '_thumbnail_id')
  ), '') AS image,
  COALESCE(g.urls, '[]') AS gallery,
  EXISTS (
    SELECT 1
    FROM wp_term_relationships AS r
    JOIN wp_term_taxonomy AS x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'product_visibility'
    JOIN wp_terms AS t ON t.term_id = x.term_id
    WHERE r.object_id = p.ID AND t.slug = 'featured'
  ) AS featured,
  CASE
    WHEN w.front IS NULL THEN CONCAT(w.path, '/?product=', p.post_name)
    ELSE CONCAT(w.path, w.front, REPLACE(b.product, '%product_cat%', COALESCE((
      SELECT a.path
      FROM wp_term_relationships AS r
      JOIN wp_term_taxonomy AS x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'product_cat'
      JOIN paths AS a ON a.category_id = x.term_id
      WHERE r.object_id = p.ID
      ORDER BY x.parent DESC, x.term_id
      LIMIT 1
    ), 'uncategorized')), '/', p.post_name, w.slash)
  END AS public_url,
  '' AS demo_url,
  '' AS docs_url,
  c.published_at AS created_at,
  c.updated_at AS updated_at
FROM public_products AS v
JOIN wp_posts AS p ON p.ID = v.id
JOIN dated AS c ON c.id = v.id
JOIN site AS w
JOIN bases AS b
LEFT JOIN galleries AS g ON g.product_id = v.id
