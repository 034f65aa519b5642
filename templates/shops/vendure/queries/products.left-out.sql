-- Products that the shop lists and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT
  p.id AS id,
  COALESCE(t.name, '') AS title,
  CASE
    WHEN COALESCE(t.name, '') = '' THEN 'without a name'
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
LEFT JOIN product_texts AS t ON t.product_id = p.id
WHERE p.id NOT IN (SELECT v.id FROM public_products AS v)
