-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of times, not the latest time: one in the future, or of a transaction that commits late, would hide the others.
-- Medusa sets `updated_at` whenever it saves a row, and `deleted_at` when it removes one. No index has the times: each table is
-- read once, without its texts. Orders and carts do not change this row.
SELECT p.*, v.*, a.*, l.*, r.*, q.*, c.*, i.*, s.*, h.*, n.*, t.*, o.*, u.*, g.*, e.*, f.*, k.*
FROM (
  SELECT
    COUNT(*) AS goods, SUM(EXTRACT(EPOCH FROM p.updated_at)) AS goods_saved_at, COUNT(p.deleted_at) AS goods_deleted
  FROM product AS p
) AS p
CROSS JOIN (
  SELECT
    COUNT(*) AS parts, SUM(EXTRACT(EPOCH FROM v.updated_at)) AS parts_saved_at, COUNT(v.deleted_at) AS parts_deleted
  FROM product_variant AS v
) AS v
CROSS JOIN (
  SELECT
    COUNT(*) AS amounts, SUM(EXTRACT(EPOCH FROM a.updated_at)) AS amounts_saved_at,
    COUNT(a.deleted_at) AS amounts_deleted, SUM(a.amount) AS amounts_sum
  FROM price AS a
) AS a
CROSS JOIN (
  SELECT
    COUNT(*) AS lists, SUM(EXTRACT(EPOCH FROM l.updated_at)) AS lists_saved_at, COUNT(l.deleted_at) AS lists_deleted
  FROM price_list AS l
) AS l
CROSS JOIN (
  SELECT
    COUNT(*) AS rules, SUM(EXTRACT(EPOCH FROM r.updated_at)) AS rules_saved_at, COUNT(r.deleted_at) AS rules_deleted
  FROM price_rule AS r
) AS r
CROSS JOIN (
  SELECT
    COUNT(*) AS list_rules, SUM(EXTRACT(EPOCH FROM q.updated_at)) AS list_rules_saved_at,
    COUNT(q.deleted_at) AS list_rules_deleted
  FROM price_list_rule AS q
) AS q
CROSS JOIN (
  SELECT
    COUNT(*) AS shelves_count, SUM(EXTRACT(EPOCH FROM c.updated_at)) AS shelves_count_saved_at,
    COUNT(c.deleted_at) AS shelves_count_deleted
  FROM product_category AS c
) AS c
CROSS JOIN (
  SELECT
    COUNT(*) AS images, SUM(EXTRACT(EPOCH FROM i.updated_at)) AS images_saved_at, COUNT(i.deleted_at) AS images_deleted
  FROM image AS i
) AS i
CROSS JOIN (
  SELECT
    COUNT(*) AS sets, SUM(EXTRACT(EPOCH FROM s.updated_at)) AS sets_saved_at, COUNT(s.deleted_at) AS sets_deleted
  FROM product_variant_price_set AS s
) AS s
CROSS JOIN (
  SELECT
    COUNT(*) AS offered, SUM(EXTRACT(EPOCH FROM h.updated_at)) AS offered_saved_at,
    COUNT(h.deleted_at) AS offered_deleted
  FROM product_sales_channel AS h
) AS h
CROSS JOIN (
  SELECT
    COUNT(*) AS sales_channels, SUM(EXTRACT(EPOCH FROM n.updated_at)) AS sales_channels_saved_at,
    COUNT(n.deleted_at) AS sales_channels_deleted
  FROM sales_channel AS n
) AS n
CROSS JOIN (
  SELECT
    COUNT(*) AS types, SUM(EXTRACT(EPOCH FROM t.updated_at)) AS types_saved_at, COUNT(t.deleted_at) AS types_deleted
  FROM product_type AS t
) AS t
CROSS JOIN (
  SELECT
    COUNT(*) AS stores, SUM(EXTRACT(EPOCH FROM o.updated_at)) AS stores_saved_at, COUNT(o.deleted_at) AS stores_deleted
  FROM store AS o
) AS o
CROSS JOIN (
  SELECT
    COUNT(*) AS currencies, SUM(EXTRACT(EPOCH FROM u.updated_at)) AS currencies_saved_at,
    COUNT(u.deleted_at) AS currencies_deleted
  FROM store_currency AS u
) AS u
CROSS JOIN (
  SELECT
    COUNT(*) AS regions, SUM(EXTRACT(EPOCH FROM g.updated_at)) AS regions_saved_at, COUNT(g.deleted_at) AS regions_deleted
  FROM region AS g
) AS g
-- A key is saved whenever it is used: only what makes it valid counts.
CROSS JOIN (
  SELECT
    COUNT(*) AS keys, COUNT(e.deleted_at) AS keys_deleted, SUM(EXTRACT(EPOCH FROM e.revoked_at)) AS keys_revoked_at
  FROM api_key AS e
  WHERE e.type = 'publishable'
) AS e
CROSS JOIN (
  SELECT
    COUNT(*) AS keyed, SUM(EXTRACT(EPOCH FROM f.updated_at)) AS keyed_saved_at, COUNT(f.deleted_at) AS keyed_deleted
  FROM publishable_api_key_sales_channel AS f
) AS f
CROSS JOIN (
  SELECT
    COUNT(*) AS places,
    SUM(('x' || SUBSTR(MD5(k.product_id || k.product_category_id), 1, 8))::bit(32)::bigint) AS places_sum
  FROM product_category_product AS k
) AS k
