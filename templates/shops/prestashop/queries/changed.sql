-- `watch` asks for this row instead of reading all rows: it differs whenever a row that the other files read may differ.
-- Sums of times, not the latest one: a time in the future, or one of a transaction that commits late, would hide the others.
-- Orders, carts and visits change nothing here. What waits for the hourly reading: the text of an approved review that is edited,
-- and what groups may see.
SELECT p.*, s.*, c.*, g.*, k.*, i.*, r.*, u.*, o.*
FROM (
  -- PrestaShop sets the time whenever a product is saved. No index has it; the rows are short.
  SELECT
    COUNT(*) AS goods, SUM(TO_SECONDS(p.date_upd)) AS goods_saved_at, SUM(p.price) AS goods_price,
    COUNT(CASE WHEN p.active = 1 THEN 1 END) AS goods_active
  FROM ps_product_shop AS p
) AS p
CROSS JOIN (
  SELECT
    COUNT(*) AS discounts, MAX(s.id_specific_price) AS discounts_id, SUM(s.price) AS discounts_price,
    SUM(s.reduction) AS discounts_reduction,
    SUM(CRC32(CONCAT_WS('|', s.`from`, s.`to`))) AS discounts_days
  FROM ps_specific_price AS s
  WHERE s.id_cart = 0 AND s.id_customer = 0
) AS s
CROSS JOIN (
  SELECT
    SUM(CRC32(CONCAT_WS('|', c.id_category, c.active, c.nleft, c.nright, l.link_rewrite, l.name, l.description))) AS shelves_text
  FROM ps_category AS c
  JOIN ps_category_lang AS l ON l.id_category = c.id_category
) AS c
CROSS JOIN (
  SELECT COUNT(*) AS admitted, SUM(g.id_category * g.id_group) AS admitted_sum FROM ps_category_group AS g
) AS g
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(k.id_category) AS places_shelves FROM ps_category_product AS k
) AS k
CROSS JOIN (
  SELECT COUNT(*) AS images, MAX(i.id_image) AS images_id, SUM(i.position) AS images_position FROM ps_image AS i
) AS i
CROSS JOIN (
  SELECT
    COUNT(*) AS reviews, MAX(r.id_product_comment) AS reviews_id, SUM(r.grade) AS reviews_grade,
    COUNT(CASE WHEN r.validate = 1 AND r.deleted = 0 THEN 1 END) AS reviews_approved
  FROM ps_product_comment AS r
) AS r
CROSS JOIN (
  SELECT SUM(CRC32(CONCAT_WS('|', u.id_shop, h.name, u.domain_ssl, u.physical_uri, u.main, u.active))) AS addresses_text
  FROM ps_shop_url AS u
  JOIN ps_shop AS h ON h.id_shop = u.id_shop
) AS u
CROSS JOIN (
  SELECT SUM(CRC32(CONCAT_WS('|', o.id_configuration, o.name, o.value))) AS options_text
  FROM ps_configuration AS o
  WHERE o.name IN ('PS_SHOP_DEFAULT', 'PS_LANG_DEFAULT', 'PS_CURRENCY_DEFAULT', 'PS_UNIDENTIFIED_GROUP', 'PS_TIMEZONE')
) AS o
