-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of digests of rows: a count or a sum of values stays the same if two rows exchange them. All rows, not the latest time: one in
-- the future, or of a transaction that commits late, would hide the others.
-- Orders and stock do not change this row.
SELECT p.*, l.*, v.*, a.*, m.*, c.*, n.*,
  (SELECT json_agg(json_build_array(t.id, t.slug) ORDER BY t.id)::text FROM product_producttype AS t) AS types,
  (SELECT json_agg(json_build_array(s.id, s.name, s.domain) ORDER BY s.id)::text FROM django_site AS s) AS sites
FROM (
  SELECT COUNT(*) AS goods, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', p.id, p.updated_at, p.category_id), 0)) AS goods_rows
  FROM product_product AS p
) AS p
CROSS JOIN (
  SELECT
    COUNT(*) AS offered,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', l.product_id, l.channel_id, l.is_published, l.visible_in_listings,
      COALESCE(l.published_at, '-infinity'), COALESCE(l.available_for_purchase_at, '-infinity')), 0)) AS offered_rows
  FROM product_productchannellisting AS l
) AS l
CROSS JOIN (
  SELECT
    COUNT(*) AS parts,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', v.id, v.product_id, v.is_preorder, v.preorder_end_date), 0)) AS parts_rows
  FROM product_productvariant AS v
) AS v
CROSS JOIN (
  SELECT
    COUNT(*) AS amounts,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', a.variant_id, a.channel_id, COALESCE(a.price_amount, -1),
      COALESCE(a.discounted_price_amount, -1)), 0)) AS amounts_rows
  FROM product_productvariantchannellisting AS a
) AS a
CROSS JOIN (
  SELECT
    COUNT(*) AS images,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', m.id, m.product_id, m.type, m.to_remove, m.image,
      COALESCE(m.sort_order, -1)), 0)) AS images_rows
  FROM product_productmedia AS m
) AS m
CROSS JOIN (
  SELECT
    COUNT(*) AS shelves,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', c.id, c.slug, c.name, c.description), 0)) AS shelves_rows
  FROM product_category AS c
) AS c
CROSS JOIN (
  SELECT
    COUNT(*) AS outlets,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', n.id, n.slug, n.currency_code, n.is_active), 0)) AS outlets_rows
  FROM channel_channel AS n
) AS n
