-- Conditions for what is public. The other files use these like tables.
WITH
-- The channel whose products are public: the default one, which has the products of all others, too.
chosen_channel (code) AS (
  SELECT c.code
  FROM channel AS c
  WHERE c.code = '__default_channel__'
),
settings (channel_id, language, currency, tax_zone_id, with_tax) AS (
  SELECT c.id, c."defaultLanguageCode", c."defaultCurrencyCode", c."defaultTaxZoneId", c."pricesIncludeTax"
  FROM channel AS c
  JOIN chosen_channel AS h ON h.code = c.code
),
-- Collections for visitors, with their depth.
public_collections (id, depth) AS NOT MATERIALIZED (
  SELECT c.id, (SELECT COUNT(*) FROM collection_closure AS a WHERE a.id_descendant = c.id)
  FROM collection AS c
  CROSS JOIN settings AS s
  JOIN collection_channels_channel AS h ON h."collectionId" = c.id AND h."channelId" = s.channel_id
  WHERE NOT c."isRoot" AND NOT c."isPrivate"
),
-- Prices of enabled variants in the channel's currency, with the tax of its default zone, rounded to whole minor units like
-- Vendure's own.
prices (product_id, amount) AS NOT MATERIALIZED (
  SELECT
    v."productId",
    CASE WHEN s.with_tax THEN p.price ELSE ROUND(p.price * (100 + COALESCE((
      SELECT r.value
      FROM tax_rate AS r
      WHERE r.enabled AND r."zoneId" = s.tax_zone_id AND r."categoryId" = v."taxCategoryId"
      ORDER BY r.id
      LIMIT 1
    ), 0)) / 100) END
  FROM product_variant AS v
  CROSS JOIN settings AS s
  JOIN product_variant_channels_channel AS h ON h."productVariantId" = v.id AND h."channelId" = s.channel_id
  JOIN product_variant_price AS p
    ON p."variantId" = v.id AND p."channelId" = s.channel_id AND p."currencyCode" = s.currency
  WHERE v.enabled AND v."deletedAt" IS NULL
),
-- Products that the shop shows: enabled, not deleted, in the channel.
published_products (id, price) AS NOT MATERIALIZED (
  SELECT p.id, (SELECT MIN(x.amount) FROM prices AS x WHERE x.product_id = p.id)
  FROM product AS p
  CROSS JOIN settings AS s
  JOIN product_channels_channel AS h ON h."productId" = p.id AND h."channelId" = s.channel_id
  WHERE p.enabled AND p."deletedAt" IS NULL
),
-- Published products with a price, each in the deepest of its public collections.
public_products (id, price, collection_id) AS NOT MATERIALIZED (
  SELECT
    p.id,
    p.price,
    (
      SELECT c.id
      FROM product_variant AS v
      JOIN collection_product_variants_product_variant AS r ON r."productVariantId" = v.id
      JOIN public_collections AS c ON c.id = r."collectionId"
      WHERE v."productId" = p.id AND v.enabled AND v."deletedAt" IS NULL
      ORDER BY c.depth DESC, c.id
      LIMIT 1
    )
  FROM published_products AS p
  WHERE p.price IS NOT NULL
)
