-- Products that the shop shows and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.id AS id,
  COALESCE((
    SELECT t.name
    FROM product_translation AS t
    WHERE t."baseId" = p.id
    ORDER BY t."languageCode" = s.language DESC, t."languageCode" = 'en' DESC, t.id
    LIMIT 1
  ), '') AS title,
  CASE
    WHEN EXISTS (
      SELECT 1
      FROM product_variant AS v
      JOIN product_variant_channels_channel AS h ON h."productVariantId" = v.id AND h."channelId" = s.channel_id
      WHERE v."productId" = p.id AND v.enabled AND v."deletedAt" IS NULL
    ) THEN CONCAT('without a price in ', s.currency)
    ELSE 'without a variant that is on'
  END AS reason
FROM published_products AS p
CROSS JOIN settings AS s
WHERE p.price IS NULL
