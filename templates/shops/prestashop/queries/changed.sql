-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of digests of rows: a count or a sum of values stays the same if two rows exchange them. CRC32 twice, because it is linear: sums
-- of one alone miss some exchanges. All rows, not the latest time: one in the future, or of a transaction that commits late, would
-- hide the others.
-- Orders, carts and visits do not change this row. Only the hourly reading of all rows notices the edited text of an approved review.
SELECT p.*, s.*, a.*, t.*, v.*, d.*, q.*, m.*, c.*, e.*, g.*, k.*, i.*, f.*, r.*, u.*, h.*, l.*, o.*
FROM (
  -- PrestaShop sets the time whenever it saves a product. No index has it, but the rows are short.
  SELECT
    COUNT(*) AS goods,
    SUM(CRC32(CRC32(CONCAT_WS('|', p.id_product, p.id_shop, p.date_upd, p.price, p.active, p.id_tax_rules_group,
      COALESCE(p.cache_default_attribute, 0), p.ecotax)))) AS goods_rows
  FROM ps_product_shop AS p
) AS p
CROSS JOIN (
  SELECT
    COUNT(*) AS discounts,
    SUM(CRC32(CRC32(CONCAT_WS('|', s.id_specific_price, s.id_specific_price_rule, s.id_product, s.id_product_attribute, s.id_shop,
      s.id_shop_group, s.id_currency, s.id_country, s.id_group, s.price, s.from_quantity, s.reduction, s.reduction_tax,
      s.reduction_type, s.`from`, s.`to`)))) AS discounts_text
  FROM ps_specific_price AS s
  WHERE s.id_cart = 0 AND s.id_customer = 0
) AS s
CROSS JOIN (
  SELECT
    COUNT(*) AS parts,
    SUM(CRC32(CRC32(CONCAT_WS('|', a.id_product, a.id_product_attribute, a.id_shop, a.price, a.ecotax,
      COALESCE(a.default_on, 0))))) AS parts_rows
  FROM ps_product_attribute_shop AS a
) AS a
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', t.id_tax_rule, t.id_tax_rules_group, t.id_country, t.id_state, t.zipcode_from, t.behavior, x.rate, g.active)))) AS taxes_text
  FROM ps_tax_rule AS t
  JOIN ps_tax AS x ON x.id_tax = t.id_tax
  JOIN ps_tax_rules_group AS g ON g.id_tax_rules_group = t.id_tax_rules_group
) AS t
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', v.id_group, v.reduction, v.show_prices)))) AS visitors_text FROM ps_group AS v
) AS v
CROSS JOIN (
  SELECT
    COUNT(*) AS reductions, SUM(CRC32(CRC32(CONCAT_WS('|', d.id_product, d.id_group, d.reduction)))) AS reductions_rows
  FROM ps_product_group_reduction_cache AS d
) AS d
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', q.id_specific_price_priority, q.id_product, q.priority)))) AS priorities_text
  FROM ps_specific_price_priority AS q
) AS q
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', m.id_currency, m.iso_code, m.`precision`)))) AS currencies_text FROM ps_currency AS m
) AS m
CROSS JOIN (
  SELECT
    SUM(CRC32(CRC32(CONCAT_WS('|', c.id_category, c.active, c.id_parent, c.is_root_category, l.id_shop, l.id_lang,
      l.link_rewrite, l.name, l.description)))) AS shelves_text
  FROM ps_category AS c
  JOIN ps_category_lang AS l ON l.id_category = c.id_category
) AS c
CROSS JOIN (
  SELECT COUNT(*) AS shelved, SUM(CRC32(CRC32(CONCAT_WS('|', e.id_category, e.id_shop)))) AS shelved_rows
  FROM ps_category_shop AS e
) AS e
CROSS JOIN (
  SELECT COUNT(*) AS admitted, SUM(CRC32(CRC32(CONCAT_WS('|', g.id_category, g.id_group)))) AS admitted_rows
  FROM ps_category_group AS g
) AS g
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(CRC32(CRC32(CONCAT_WS('|', k.id_category, k.id_product)))) AS places_rows
  FROM ps_category_product AS k
) AS k
CROSS JOIN (
  SELECT COUNT(*) AS images, SUM(CRC32(CRC32(CONCAT_WS('|', i.id_image, i.id_product, i.position)))) AS images_rows
  FROM ps_image AS i
) AS i
CROSS JOIN (
  -- The product has no new time after another picture has become its cover.
  SELECT
    COUNT(*) AS covers, SUM(CRC32(CRC32(CONCAT_WS('|', f.id_image, f.id_shop, f.id_product, COALESCE(f.cover, 0))))) AS covers_rows
  FROM ps_image_shop AS f
) AS f
CROSS JOIN (
  SELECT
    COUNT(*) AS reviews,
    SUM(CRC32(CRC32(CONCAT_WS('|', r.id_product_comment, r.id_product, r.grade, r.validate, r.deleted)))) AS reviews_rows
  FROM ps_product_comment AS r
) AS r
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', u.id_shop, h.id_shop_group, h.name, u.domain_ssl, u.physical_uri, u.main, u.active)))) AS addresses_text
  FROM ps_shop_url AS u
  JOIN ps_shop AS h ON h.id_shop = u.id_shop
) AS u
CROSS JOIN (
  SELECT SUM(h.id) AS shops FROM chosen_shop AS h
) AS h
CROSS JOIN (
  SELECT SUM(l.id) AS languages FROM chosen_language AS l
) AS l
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', o.id_configuration, o.id_shop, o.id_shop_group, o.name, o.value)))) AS options_text
  FROM ps_configuration AS o
  WHERE o.name IN ('PS_SHOP_DEFAULT', 'PS_LANG_DEFAULT', 'PS_CURRENCY_DEFAULT', 'PS_UNIDENTIFIED_GROUP', 'PS_TIMEZONE',
    'PS_COUNTRY_DEFAULT', 'PS_TAX', 'PS_CATALOG_MODE', 'PS_CATALOG_MODE_WITH_PRICES', 'PS_SPECIFIC_PRICE_PRIORITIES',
    'PS_SPECIFIC_PRICE_FEATURE_ACTIVE', 'PS_COMBINATION_FEATURE_ACTIVE', 'PS_SHOP_ENABLE')
) AS o
