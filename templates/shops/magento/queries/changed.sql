-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of times, not the latest time: one in the future, or of a transaction that commits late, would hide the others.
-- Orders do not change this row, unless one sells the last piece. Only the hourly reading of all rows notices the edited text of
-- an approved review, and a mass update of attributes that does not change the products' times and prices.
SELECT p.*, i.*, g.*, k.*, w.*, c.*, h.*, u.*, r.*, v.*, o.*, m.*, t.*
FROM (
  -- Magento sets the time whenever it saves a product. No index has it, but the rows are short: values are in other tables.
  SELECT COUNT(*) AS goods, SUM(TO_SECONDS(p.updated_at)) AS goods_saved_at FROM mage_catalog_product_entity AS p
) AS p
CROSS JOIN (
  SELECT
    COUNT(*) AS priced, SUM(i.price) AS priced_regular, SUM(i.final_price) AS priced_final,
    SUM(i.min_price) AS priced_lowest
  FROM mage_catalog_product_index_price AS i
  WHERE i.customer_group_id = 0
) AS i
CROSS JOIN (
  SELECT COUNT(*) AS ruled, SUM(g.rule_price) AS ruled_price, SUM(TO_SECONDS(g.rule_date)) AS ruled_day
  FROM mage_catalogrule_product_price AS g
  WHERE g.customer_group_id = 0
) AS g
CROSS JOIN (
  SELECT COUNT(CASE WHEN k.stock_status = 1 THEN 1 END) AS stocked FROM mage_cataloginventory_stock_status AS k
) AS k
CROSS JOIN (
  SELECT COUNT(*) AS offered FROM mage_catalog_product_website AS w
) AS w
CROSS JOIN (
  SELECT
    COUNT(*) AS categories, SUM(TO_SECONDS(c.updated_at)) AS categories_saved_at
  FROM mage_catalog_category_entity AS c
) AS c
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(h.category_id) AS places_categories FROM mage_catalog_category_product AS h
) AS h
CROSS JOIN (
  SELECT MAX(u.url_rewrite_id) AS addresses_id FROM mage_core_url_rewrite AS u
) AS u
CROSS JOIN (
  SELECT
    COUNT(*) AS reviews, MAX(r.review_id) AS reviews_id, COUNT(CASE WHEN r.status_id = 1 THEN 1 END) AS reviews_approved
  FROM mage_review AS r
) AS r
CROSS JOIN (
  SELECT COUNT(*) AS votes, SUM(v.value) AS votes_sum FROM mage_rating_option_vote AS v
) AS v
CROSS JOIN (
  SELECT SUM(CRC32(CONCAT_WS('|', o.scope, o.scope_id, o.path, o.value))) AS options_text
  FROM mage_core_config_data AS o
  WHERE o.path IN ('general/store_information/name', 'web/unsecure/base_url', 'web/unsecure/base_media_url', 'web/seo/use_rewrites',
    'currency/options/base', 'general/locale/timezone', 'cataloginventory/options/show_out_of_stock', 'sales/msrp/enabled',
    'sales/msrp/apply_for_all', 'sales/msrp/display_price_type')
) AS o
CROSS JOIN (
  SELECT COUNT(*) AS relations, SUM(m.parent_id * m.child_id) AS relations_sum FROM mage_catalog_product_relation AS m
) AS m
CROSS JOIN (
  SELECT SUM(CRC32(CONCAT_WS('|', t.attribute_id, t.apply_to))) AS attributes_text FROM mage_catalog_eav_attribute AS t
) AS t
