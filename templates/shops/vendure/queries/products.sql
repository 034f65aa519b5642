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
    -- Vendure shows only those of the channel, but any first picture.
    JOIN asset_channels_channel AS h ON h."assetId" = a.id AND h."channelId" = s.channel_id
    WHERE g."productId" = p.id
  ), '[]') AS gallery,
  0 AS featured,
  -- Vendure's import from a table does not make slugs unique, and the page of one shows any of its products that is not deleted.
  CASE WHEN t.slug = '' OR EXISTS (
    SELECT 1
    FROM product_translation AS x
    JOIN product AS o ON o.id = x."baseId" AND o."deletedAt" IS NULL
    JOIN product_channels_channel AS h ON h."productId" = o.id AND h."channelId" = s.channel_id
    WHERE x.slug = t.slug AND o.id <> p.id
  ) THEN '' ELSE '/products/' || t.slug END AS public_url,
  '' AS demo_url,
  '' AS docs_url,
  -- Vendure's times are local ones of the database's session, without a time zone.
  to_char(p."createdAt" AT TIME ZONE current_setting('vitrine.zone') AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS created_at,
  to_char(
    GREATEST(p."updatedAt", t.saved_at) AT TIME ZONE current_setting('vitrine.zone') AT TIME ZONE 'UTC',
    'YYYY-MM-DD HH24:MI:SS'
  ) AS updated_at
FROM public_products AS v
JOIN product AS p ON p.id = v.id
JOIN product_texts AS t ON t.product_id = p.id
CROSS JOIN settings AS s
