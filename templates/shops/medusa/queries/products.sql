-- Amounts are in major units: 19.99. (Medusa 1 had minor units; these files are for Medusa 2.)
SELECT
  ('x' || SUBSTR(MD5(p.id), 1, 12))::bit(48)::bigint AS id,
  COALESCE(x.title, p.title) AS title,
  p.handle AS slug_source,
  -- Medusa does not translate a text that the product itself lacks.
  CASE WHEN p.subtitle IS NULL THEN '' ELSE COALESCE(x.subtitle, p.subtitle) END AS excerpt,
  CASE WHEN p.subtitle IS NULL THEN '' ELSE COALESCE(x.subtitle, p.subtitle) END AS description_short,
  CASE WHEN p.description IS NULL THEN '' ELSE COALESCE(x.description, p.description) END AS description_text,
  -- In no public category: the id of the one that categories.sql adds.
  COALESCE(('x' || SUBSTR(MD5(v.category_id), 1, 12))::bit(48)::bigint, 281474976710656) AS category_id,
  COALESCE(t.value, 'product') AS type_source,
  'published' AS status,
  v.price::text AS price,
  v.sale_price::text AS sale_price,
  NULL AS preorder_price,
  NULL AS extended_price,
  UPPER(c.currency) AS currency,
  COALESCE(p.thumbnail, '') AS image,
  COALESCE((
    SELECT json_agg(i.url ORDER BY i.rank, i.id COLLATE "C")::text
    FROM image AS i
    WHERE i.product_id = p.id AND i.deleted_at IS NULL
  ), '[]') AS gallery,
  0 AS featured,
  '/products/' || p.handle AS public_url,
  '' AS demo_url,
  '' AS docs_url,
  to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS created_at,
  to_char(p.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS updated_at
FROM public_products AS v
JOIN product AS p ON p.id = v.id
CROSS JOIN settings AS c
LEFT JOIN translations AS x ON x.id = p.id
LEFT JOIN product_type AS t ON t.id = p.type_id AND t.deleted_at IS NULL
