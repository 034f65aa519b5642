-- Texts in the channel's language, otherwise in English, otherwise the first ones, as Vendure chooses them.
SELECT
  p.id AS id,
  t.name AS title,
  t.slug AS slug_source,
  '' AS excerpt,
  '' AS description_short,
  t.description AS description_html,
  -- Without a collection: the id of the one that categories.sql adds.
  COALESCE(v.collection_id, 2147483648) AS category_id,
  'product' AS type,
  'published' AS status,
  v.price::bigint AS price_minor,
  -- Vendure's default money strategy has two digits in every currency: 198000 is 1980 JPY.
  2 AS price_digits,
  NULL AS sale_price_minor,
  NULL AS preorder_price_minor,
  NULL AS extended_price_minor,
  s.currency AS currency,
  COALESCE((SELECT '/assets/' || a.preview FROM asset AS a WHERE a.id = p."featuredAssetId"), '') AS image,
  COALESCE((
    SELECT json_agg('/assets/' || a.preview ORDER BY g.position, g.id)::text
    FROM product_asset AS g
    JOIN asset AS a ON a.id = g."assetId"
    WHERE g."productId" = p.id
  ), '[]') AS gallery,
  0 AS featured,
  '/products/' || t.slug AS public_url,
  '' AS demo_url,
  '' AS docs_url,
  to_char(p."createdAt", 'YYYY-MM-DD HH24:MI:SS') AS created_at,
  to_char(GREATEST(p."updatedAt", t."updatedAt"), 'YYYY-MM-DD HH24:MI:SS') AS updated_at
FROM public_products AS v
JOIN product AS p ON p.id = v.id
CROSS JOIN settings AS s
CROSS JOIN LATERAL (
  SELECT t.name, t.slug, t.description, t."updatedAt"
  FROM product_translation AS t
  WHERE t."baseId" = p.id
  ORDER BY t."languageCode" = s.language DESC, t."languageCode" = 'en' DESC, t.id
  LIMIT 1
) AS t
