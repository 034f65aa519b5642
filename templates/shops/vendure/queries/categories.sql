-- Public collections with a public product, and one for public products without a collection.
SELECT
  c.id AS id,
  t.name AS name,
  t.slug AS slug_source,
  t.description AS description_html,
  -- Vendure makes slugs unique in the channel of who makes a collection, but each is in the default channel, too. The page of a slug
  -- shows any of its collections, or none if that one is private.
  CASE WHEN t.slug = '' OR EXISTS (
    SELECT 1
    FROM collection_translation AS x
    JOIN collection_channels_channel AS h ON h."collectionId" = x."baseId" AND h."channelId" = s.channel_id
    WHERE x.slug = t.slug AND x."baseId" <> c.id
  ) THEN '' ELSE '/collections/' || t.slug END AS url
FROM collection AS c
CROSS JOIN settings AS s
JOIN collection_texts AS t ON t.collection_id = c.id
WHERE c.id IN (SELECT p.collection_id FROM public_products AS p)
UNION ALL
SELECT 2147483648, 'Uncategorised', 'uncategorised', '', ''
WHERE EXISTS (SELECT 1 FROM public_products AS p WHERE p.collection_id IS NULL)
