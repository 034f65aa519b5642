-- Conditions for what is public. The other files use these like tables.
WITH
-- The channel whose products are public: the default one, which has the products of all others, too.
chosen_channel (code) AS (
  SELECT c.code
  FROM channel AS c
  WHERE c.code = '__default_channel__'
),
-- What a visitor of the channel sees who asks for nothing else.
chosen_language (code) AS (
  SELECT c."defaultLanguageCode"
  FROM channel AS c
  JOIN chosen_channel AS h ON h.code = c.code
),
chosen_currency (code) AS (
  SELECT c."defaultCurrencyCode"
  FROM channel AS c
  JOIN chosen_channel AS h ON h.code = c.code
),
chosen_tax_zone (id) AS (
  SELECT c."defaultTaxZoneId"
  FROM channel AS c
  JOIN chosen_channel AS h ON h.code = c.code
),
settings (channel_id, language, channel_language, currency, tax_zone_id, with_tax) AS (
  SELECT c.id, l.code, c."defaultLanguageCode", u.code, z.id, c."pricesIncludeTax"
  FROM channel AS c
  JOIN chosen_channel AS h ON h.code = c.code
  CROSS JOIN chosen_language AS l
  CROSS JOIN chosen_currency AS u
  CROSS JOIN chosen_tax_zone AS z
),
-- Texts as Vendure chooses them, each field by itself: in the language, otherwise in the channel's, otherwise in English, otherwise the
-- first row's. An empty field counts as missing.
product_texts (product_id, name, slug, description, saved_at) AS NOT MATERIALIZED (
  SELECT
    t."baseId",
    COALESCE((ARRAY_AGG(t.name ORDER BY t.place) FILTER (WHERE t.name <> ''))[1], ''),
    COALESCE((ARRAY_AGG(t.slug ORDER BY t.place) FILTER (WHERE t.slug <> ''))[1], ''),
    COALESCE((ARRAY_AGG(t.description ORDER BY t.place) FILTER (WHERE t.description <> ''))[1], ''),
    MAX(t."updatedAt")
  FROM (
    SELECT
      x."baseId", x.name, x.slug, x.description, x."updatedAt",
      CASE
        WHEN x."languageCode" = s.language THEN 1
        WHEN x."languageCode" = s.channel_language THEN 2
        WHEN x."languageCode" = 'en' THEN 3
        WHEN x.id = MIN(x.id) OVER (PARTITION BY x."baseId") THEN 4
      END AS place
    FROM product_translation AS x
    CROSS JOIN settings AS s
  ) AS t
  WHERE t.place IS NOT NULL
  GROUP BY t."baseId"
),
collection_texts (collection_id, name, slug, description) AS NOT MATERIALIZED (
  SELECT
    t."baseId",
    COALESCE((ARRAY_AGG(t.name ORDER BY t.place) FILTER (WHERE t.name <> ''))[1], ''),
    COALESCE((ARRAY_AGG(t.slug ORDER BY t.place) FILTER (WHERE t.slug <> ''))[1], ''),
    COALESCE((ARRAY_AGG(t.description ORDER BY t.place) FILTER (WHERE t.description <> ''))[1], '')
  FROM (
    SELECT
      x."baseId", x.name, x.slug, x.description,
      CASE
        WHEN x."languageCode" = s.language THEN 1
        WHEN x."languageCode" = s.channel_language THEN 2
        WHEN x."languageCode" = 'en' THEN 3
        WHEN x.id = MIN(x.id) OVER (PARTITION BY x."baseId") THEN 4
      END AS place
    FROM collection_translation AS x
    CROSS JOIN settings AS s
  ) AS t
  WHERE t.place IS NOT NULL
  GROUP BY t."baseId"
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
      -- If there are several, Vendure takes the first that it reads: the one that was saved longest ago. `init` names them.
      ORDER BY r.ctid
      LIMIT 1
    ), 0)) / 100) END
  FROM product_variant AS v
  CROSS JOIN settings AS s
  JOIN product_variant_channels_channel AS h ON h."productVariantId" = v.id AND h."channelId" = s.channel_id
  JOIN product_variant_price AS p
    ON p."variantId" = v.id AND p."channelId" = s.channel_id AND p."currencyCode" = s.currency
  WHERE v.enabled AND v."deletedAt" IS NULL
),
-- The shop's own list for visitors: enabled, not deleted, in the channel.
published_products (id, price) AS NOT MATERIALIZED (
  SELECT p.id, (SELECT MIN(x.amount) FROM prices AS x WHERE x.product_id = p.id)
  FROM product AS p
  CROSS JOIN settings AS s
  JOIN product_channels_channel AS h ON h."productId" = p.id AND h."channelId" = s.channel_id
  WHERE p.enabled AND p."deletedAt" IS NULL
),
-- Published products with a price and a name, each in the deepest of its public collections.
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
  JOIN product_texts AS t ON t.product_id = p.id
  WHERE p.price IS NOT NULL AND t.name <> ''
)
