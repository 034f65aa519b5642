-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of digests of rows: a count or a sum of values stays the same if two rows exchange them. CRC32 twice, because it is linear: sums
-- of one alone miss some exchanges. All rows, not the latest time: one in the future, or of a transaction that commits late, would
-- hide the others.
-- Orders do not change this row, unless one sells the last piece. Only the hourly reading of all rows notices the edited text of
-- an approved review, and a mass update of attributes that does not change the products' times and prices.
SELECT p.*, i.*, g.*, k.*, w.*, c.*, h.*, u.*, r.*, v.*, o.*, m.*, t.*
FROM (
  -- Magento sets the time whenever it saves a product. No index has it, but the rows are short: values are in other tables.
  SELECT COUNT(*) AS goods, SUM(CRC32(CRC32(CONCAT_WS('|', p.entity_id, p.updated_at)))) AS goods_rows
  FROM mage_catalog_product_entity AS p
) AS p
CROSS JOIN (
  SELECT
    COUNT(*) AS priced,
    SUM(CRC32(CRC32(CONCAT_WS('|', i.entity_id, i.website_id, COALESCE(i.price, ''), COALESCE(i.final_price, ''),
      COALESCE(i.min_price, ''))))) AS priced_rows
  FROM mage_catalog_product_index_price AS i
  WHERE i.customer_group_id = 0
) AS i
CROSS JOIN (
  SELECT
    COUNT(*) AS ruled,
    SUM(CRC32(CRC32(CONCAT_WS('|', g.product_id, g.website_id, g.rule_date, g.rule_price)))) AS ruled_rows
  FROM mage_catalogrule_product_price AS g
  WHERE g.customer_group_id = 0
) AS g
CROSS JOIN (
  SELECT COUNT(*) AS stocked, SUM(CRC32(CRC32(CONCAT_WS('|', k.product_id, k.website_id, k.stock_id)))) AS stocked_rows
  FROM mage_cataloginventory_stock_status AS k
  WHERE k.stock_status = 1
) AS k
CROSS JOIN (
  SELECT COUNT(*) AS offered, SUM(CRC32(CRC32(CONCAT_WS('|', w.product_id, w.website_id)))) AS offered_rows
  FROM mage_catalog_product_website AS w
) AS w
CROSS JOIN (
  SELECT
    COUNT(*) AS categories, SUM(CRC32(CRC32(CONCAT_WS('|', c.entity_id, c.updated_at, c.path)))) AS categories_rows
  FROM mage_catalog_category_entity AS c
) AS c
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(CRC32(CRC32(CONCAT_WS('|', h.category_id, h.product_id)))) AS places_rows
  FROM mage_catalog_category_product AS h
) AS h
CROSS JOIN (
  SELECT MAX(u.url_rewrite_id) AS addresses_id FROM mage_core_url_rewrite AS u
) AS u
CROSS JOIN (
  SELECT
    COUNT(*) AS reviews, SUM(CRC32(CRC32(CONCAT_WS('|', r.review_id, r.entity_pk_value, r.status_id)))) AS reviews_rows
  FROM mage_review AS r
) AS r
CROSS JOIN (
  SELECT COUNT(*) AS votes, SUM(CRC32(CRC32(CONCAT_WS('|', v.vote_id, v.review_id, v.value)))) AS votes_rows
  FROM mage_rating_option_vote AS v
) AS v
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', o.scope, o.scope_id, o.path, o.value)))) AS options_text
  FROM mage_core_config_data AS o
  WHERE o.path IN ('general/store_information/name', 'web/unsecure/base_url', 'web/unsecure/base_media_url', 'web/seo/use_rewrites',
    'currency/options/base', 'general/locale/timezone', 'cataloginventory/options/show_out_of_stock', 'sales/msrp/enabled',
    'sales/msrp/apply_for_all', 'sales/msrp/display_price_type')
) AS o
CROSS JOIN (
  SELECT COUNT(*) AS relations, SUM(CRC32(CRC32(CONCAT_WS('|', m.parent_id, m.child_id)))) AS relations_rows
  FROM mage_catalog_product_relation AS m
) AS m
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', t.attribute_id, t.apply_to)))) AS attributes_text FROM mage_catalog_eav_attribute AS t
) AS t
