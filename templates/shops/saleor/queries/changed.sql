-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of times, not the latest time: one in the future, or of a transaction that commits late, would hide the others.
-- Orders and stock do not change this row.
SELECT p.*, l.*, v.*, a.*, m.*, c.*, n.*,
  (SELECT json_agg(json_build_array(t.id, t.slug) ORDER BY t.id)::text FROM product_producttype AS t) AS types,
  (SELECT json_agg(json_build_array(s.id, s.name, s.domain) ORDER BY s.id)::text FROM django_site AS s) AS sites
FROM (
  SELECT COUNT(*) AS goods, SUM(EXTRACT(EPOCH FROM p.updated_at)) AS goods_saved_at FROM product_product AS p
) AS p
CROSS JOIN (
  SELECT
    COUNT(*) AS offered, COUNT(*) FILTER (WHERE l.is_published AND l.visible_in_listings) AS offered_shown,
    SUM(l.discounted_price_amount) AS offered_price, SUM(EXTRACT(EPOCH FROM l.published_at)) AS offered_published_at,
    SUM(EXTRACT(EPOCH FROM l.available_for_purchase_at)) AS offered_sold_from
  FROM product_productchannellisting AS l
) AS l
CROSS JOIN (
  SELECT
    COUNT(*) AS parts, COUNT(*) FILTER (WHERE v.is_preorder) AS parts_preorder,
    SUM(EXTRACT(EPOCH FROM v.preorder_end_date)) AS parts_preorder_end
  FROM product_productvariant AS v
) AS v
CROSS JOIN (
  SELECT COUNT(*) AS amounts, SUM(a.price_amount) AS amounts_sum FROM product_productvariantchannellisting AS a
) AS a
CROSS JOIN (
  SELECT
    COUNT(*) AS images, MAX(m.id) AS images_id, SUM(m.sort_order) AS images_order,
    COUNT(*) FILTER (WHERE m.to_remove) AS images_removed
  FROM product_productmedia AS m
) AS m
CROSS JOIN (
  SELECT
    COUNT(*) AS shelves,
    MD5(STRING_AGG(CONCAT_WS('|', c.id, c.slug, c.name, c.description_plaintext), '|' ORDER BY c.id)) AS shelves_text
  FROM product_category AS c
) AS c
CROSS JOIN (
  SELECT
    COUNT(*) AS outlets,
    STRING_AGG(CONCAT_WS('|', n.id, n.currency_code, n.is_active), '|' ORDER BY n.id) AS outlets_text
  FROM channel_channel AS n
) AS n
