-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of digests of rows: a count or a sum of values stays the same if two rows exchange them. All rows, not the latest time: one in
-- the future, or of a transaction that commits late, would hide the others.
-- Medusa sets `updated_at` whenever it saves a row, and `deleted_at` when it removes one; the table of pairs has no time. No index
-- has the times: each table is read once, without its texts. Orders and carts do not change this row.
SELECT p.*, v.*, a.*, l.*, r.*, q.*, c.*, i.*, s.*, h.*, n.*, t.*, o.*, u.*, g.*, e.*, f.*, k.*
FROM (
  SELECT COUNT(*) AS goods, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', p.id, p.updated_at, p.deleted_at), 0)) AS goods_rows
  FROM product AS p
) AS p
CROSS JOIN (
  SELECT COUNT(*) AS parts, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', v.id, v.updated_at, v.deleted_at), 0)) AS parts_rows
  FROM product_variant AS v
) AS v
CROSS JOIN (
  SELECT
    COUNT(*) AS amounts,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', a.id, a.updated_at, a.deleted_at, a.amount), 0)) AS amounts_rows
  FROM price AS a
) AS a
CROSS JOIN (
  SELECT COUNT(*) AS lists, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', l.id, l.updated_at, l.deleted_at), 0)) AS lists_rows
  FROM price_list AS l
) AS l
CROSS JOIN (
  SELECT COUNT(*) AS rules, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', r.id, r.updated_at, r.deleted_at), 0)) AS rules_rows
  FROM price_rule AS r
) AS r
CROSS JOIN (
  SELECT COUNT(*) AS list_rules, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', q.id, q.updated_at, q.deleted_at), 0)) AS list_rules_rows
  FROM price_list_rule AS q
) AS q
CROSS JOIN (
  SELECT COUNT(*) AS shelves, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', c.id, c.updated_at, c.deleted_at), 0)) AS shelves_rows
  FROM product_category AS c
) AS c
CROSS JOIN (
  SELECT COUNT(*) AS images, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', i.id, i.updated_at, i.deleted_at), 0)) AS images_rows
  FROM image AS i
) AS i
CROSS JOIN (
  SELECT COUNT(*) AS sets, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', s.id, s.updated_at, s.deleted_at), 0)) AS sets_rows
  FROM product_variant_price_set AS s
) AS s
CROSS JOIN (
  SELECT COUNT(*) AS offered, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', h.id, h.updated_at, h.deleted_at), 0)) AS offered_rows
  FROM product_sales_channel AS h
) AS h
CROSS JOIN (
  SELECT
    COUNT(*) AS sales_channels,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', n.id, n.updated_at, n.deleted_at), 0)) AS sales_channels_rows
  FROM sales_channel AS n
) AS n
CROSS JOIN (
  SELECT COUNT(*) AS types, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', t.id, t.updated_at, t.deleted_at), 0)) AS types_rows
  FROM product_type AS t
) AS t
CROSS JOIN (
  SELECT COUNT(*) AS stores, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', o.id, o.updated_at, o.deleted_at), 0)) AS stores_rows
  FROM store AS o
) AS o
CROSS JOIN (
  SELECT COUNT(*) AS currencies, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', u.id, u.updated_at, u.deleted_at), 0)) AS currencies_rows
  FROM store_currency AS u
) AS u
CROSS JOIN (
  SELECT COUNT(*) AS regions, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', g.id, g.updated_at, g.deleted_at), 0)) AS regions_rows
  FROM region AS g
) AS g
-- A key is saved whenever it is used: only what makes it valid counts.
CROSS JOIN (
  SELECT COUNT(*) AS keys, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', e.id, e.revoked_at, e.deleted_at), 0)) AS keys_rows
  FROM api_key AS e
  WHERE e.type = 'publishable'
) AS e
CROSS JOIN (
  SELECT COUNT(*) AS keyed, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', f.id, f.updated_at, f.deleted_at), 0)) AS keyed_rows
  FROM publishable_api_key_sales_channel AS f
) AS f
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', k.product_id, k.product_category_id), 0)) AS places_rows
  FROM product_category_product AS k
) AS k
