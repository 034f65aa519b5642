-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of times, not the latest time: one in the future, or of a transaction that commits late, would hide the others.
-- Vendure sets `updatedAt` whenever it saves a row. No index has the times: each table is read once, without its texts. Orders,
-- sessions and stock do not change this row.
SELECT p.*, t.*, v.*, a.*, c.*, s.*, i.*, g.*, n.*, e.*, x.*, h.*, k.*, d.*, f.*
FROM (
  SELECT
    COUNT(*) AS goods, SUM(EXTRACT(EPOCH FROM p."updatedAt")) AS goods_saved_at,
    COUNT(*) FILTER (WHERE p.enabled AND p."deletedAt" IS NULL) AS goods_on
  FROM product AS p
) AS p
CROSS JOIN (
  SELECT COUNT(*) AS texts, SUM(EXTRACT(EPOCH FROM t."updatedAt")) AS texts_saved_at FROM product_translation AS t
) AS t
CROSS JOIN (
  SELECT
    COUNT(*) AS parts, SUM(EXTRACT(EPOCH FROM v."updatedAt")) AS parts_saved_at,
    COUNT(*) FILTER (WHERE v.enabled AND v."deletedAt" IS NULL) AS parts_on
  FROM product_variant AS v
) AS v
CROSS JOIN (
  SELECT
    COUNT(*) AS amounts, SUM(EXTRACT(EPOCH FROM a."updatedAt")) AS amounts_saved_at, SUM(a.price) AS amounts_sum
  FROM product_variant_price AS a
) AS a
CROSS JOIN (
  SELECT
    COUNT(*) AS shelves, SUM(EXTRACT(EPOCH FROM c."updatedAt")) AS shelves_saved_at,
    COUNT(*) FILTER (WHERE c."isPrivate") AS shelves_private
  FROM collection AS c
) AS c
CROSS JOIN (
  SELECT COUNT(*) AS labels, SUM(EXTRACT(EPOCH FROM s."updatedAt")) AS labels_saved_at FROM collection_translation AS s
) AS s
CROSS JOIN (
  SELECT COUNT(*) AS images, SUM(EXTRACT(EPOCH FROM i."updatedAt")) AS images_saved_at FROM asset AS i
) AS i
CROSS JOIN (
  SELECT
    COUNT(*) AS galleries, SUM(EXTRACT(EPOCH FROM g."updatedAt")) AS galleries_saved_at,
    SUM(g.position) AS galleries_order
  FROM product_asset AS g
) AS g
CROSS JOIN (
  SELECT COUNT(*) AS outlets, SUM(EXTRACT(EPOCH FROM n."updatedAt")) AS outlets_saved_at FROM channel AS n
) AS n
CROSS JOIN (
  SELECT COUNT(*) AS sellers, SUM(EXTRACT(EPOCH FROM e."updatedAt")) AS sellers_saved_at FROM seller AS e
) AS e
CROSS JOIN (
  SELECT
    COUNT(*) AS taxes, SUM(EXTRACT(EPOCH FROM x."updatedAt")) AS taxes_saved_at, SUM(x.value) AS taxes_sum
  FROM tax_rate AS x
) AS x
CROSS JOIN (
  SELECT COUNT(*) AS offered FROM product_channels_channel AS h
) AS h
CROSS JOIN (
  SELECT COUNT(*) AS parts_offered FROM product_variant_channels_channel AS k
) AS k
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(d."collectionId") AS places_shelves FROM collection_product_variants_product_variant AS d
) AS d
CROSS JOIN (
  SELECT COUNT(*) AS shelves_offered FROM collection_channels_channel AS f
) AS f
