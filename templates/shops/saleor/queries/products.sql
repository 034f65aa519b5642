SELECT
  p.id AS id,
  p.name AS title,
  p.slug AS slug_source,
  '' AS excerpt,
  '' AS description_short,
  COALESCE((SELECT d.html FROM descriptions AS d WHERE d.kind = 'product' AND d.id = p.id), '') AS description_html,
  p.category_id AS category_id,
  t.slug AS type_source,
  CASE
    WHEN v.sold_from > current_setting('vitrine.now')::timestamptz THEN 'coming_soon'
    WHEN v.is_preorder THEN 'preorder'
    ELSE 'published'
  END AS status,
  v.price::text AS price,
  v.sale_price::text AS sale_price,
  NULL AS preorder_price,
  NULL AS extended_price,
  c.currency AS currency,
  COALESCE((
    SELECT '/media/' || m.image
    FROM product_productmedia AS m
    WHERE m.product_id = p.id AND m.type = 'IMAGE' AND m.image <> '' AND NOT m.to_remove
    ORDER BY m.sort_order, m.id
    LIMIT 1
  ), '') AS image,
  COALESCE((
    -- The shop's order: unsorted ones first here, last where it takes the first one.
    SELECT json_agg('/media/' || m.image ORDER BY m.sort_order NULLS FIRST, m.id)::text
    FROM product_productmedia AS m
    WHERE m.product_id = p.id AND m.type = 'IMAGE' AND m.image <> '' AND NOT m.to_remove
  ), '[]') AS gallery,
  0 AS featured,
  '/products/' || p.slug AS public_url,
  '' AS demo_url,
  '' AS docs_url,
  to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS created_at,
  to_char(p.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS updated_at
FROM public_products AS v
JOIN product_product AS p ON p.id = v.id
JOIN product_producttype AS t ON t.id = p.product_type_id
CROSS JOIN channel AS c
