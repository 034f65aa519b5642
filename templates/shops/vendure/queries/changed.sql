-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of digests of rows: a count or a sum of values stays the same if two rows exchange them. All rows, not the latest time: one in
-- the future, or of a transaction that commits late, would hide the others.
-- Vendure sets `updatedAt` whenever it saves a row; tables of pairs have no time. No index has the times: each table is read once,
-- without its texts. Orders, sessions and stock do not change this row.
SELECT p.*, t.*, v.*, a.*, c.*, s.*, i.*, g.*, n.*, e.*, x.*, h.*, k.*, d.*, f.*, j.*
FROM (
  SELECT
    COUNT(*) AS goods,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', p.id, p."updatedAt", p.enabled, p."deletedAt", p."featuredAssetId"), 0)) AS goods_rows
  FROM product AS p
) AS p
CROSS JOIN (
  SELECT COUNT(*) AS texts, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', t.id, t."updatedAt"), 0)) AS texts_rows
  FROM product_translation AS t
) AS t
CROSS JOIN (
  SELECT
    COUNT(*) AS parts,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', v.id, v."updatedAt", v.enabled, v."deletedAt"), 0)) AS parts_rows
  FROM product_variant AS v
) AS v
CROSS JOIN (
  SELECT COUNT(*) AS amounts, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', a.id, a."updatedAt", a.price), 0)) AS amounts_rows
  FROM product_variant_price AS a
) AS a
CROSS JOIN (
  SELECT COUNT(*) AS shelves, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', c.id, c."updatedAt", c."isPrivate"), 0)) AS shelves_rows
  FROM collection AS c
) AS c
CROSS JOIN (
  SELECT COUNT(*) AS labels, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', s.id, s."updatedAt"), 0)) AS labels_rows
  FROM collection_translation AS s
) AS s
CROSS JOIN (
  SELECT COUNT(*) AS images, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', i.id, i."updatedAt"), 0)) AS images_rows
  FROM asset AS i
) AS i
CROSS JOIN (
  SELECT COUNT(*) AS galleries, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', g.id, g."updatedAt", g.position), 0)) AS galleries_rows
  FROM product_asset AS g
) AS g
CROSS JOIN (
  SELECT COUNT(*) AS outlets, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', n.id, n."updatedAt"), 0)) AS outlets_rows
  FROM channel AS n
) AS n
CROSS JOIN (
  SELECT COUNT(*) AS sellers, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', e.id, e."updatedAt"), 0)) AS sellers_rows
  FROM seller AS e
) AS e
CROSS JOIN (
  SELECT COUNT(*) AS taxes, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', x.id, x."updatedAt", x.enabled, x.value), 0)) AS taxes_rows
  FROM tax_rate AS x
) AS x
CROSS JOIN (
  SELECT COUNT(*) AS offered, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', h."productId", h."channelId"), 0)) AS offered_rows
  FROM product_channels_channel AS h
) AS h
CROSS JOIN (
  SELECT
    COUNT(*) AS parts_offered,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', k."productVariantId", k."channelId"), 0)) AS parts_offered_rows
  FROM product_variant_channels_channel AS k
) AS k
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', d."collectionId", d."productVariantId"), 0)) AS places_rows
  FROM collection_product_variants_product_variant AS d
) AS d
CROSS JOIN (
  SELECT
    COUNT(*) AS shelves_offered,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', f."collectionId", f."channelId"), 0)) AS shelves_offered_rows
  FROM collection_channels_channel AS f
) AS f
CROSS JOIN (
  SELECT COUNT(*) AS images_offered, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', j."assetId", j."channelId"), 0)) AS images_offered_rows
  FROM asset_channels_channel AS j
) AS j
