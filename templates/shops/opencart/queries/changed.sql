-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of digests of rows: a count or a sum of values stays the same if two rows exchange them. CRC32 twice, because it is linear: sums
-- of one alone miss some exchanges. All rows, not the latest time: one in the future, or of a transaction that commits late, would
-- hide the others.
-- Orders do not change this row: they write to quantities. Only the hourly reading of all rows notices the edited text of a review.
SELECT p.*, k.*, c.*, a.*, r.*, o.*, u.*
FROM (
  -- OpenCart sets the time whenever it saves a product. No index has it, but the rows are short: texts are in another table.
  SELECT
    COUNT(*) AS goods,
    SUM(CRC32(CRC32(CONCAT_WS('|', p.product_id, p.date_modified, p.price, p.status)))) AS goods_rows
  FROM oc_product AS p
) AS p
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(CRC32(CRC32(CONCAT_WS('|', k.product_id, k.category_id)))) AS places_rows
  FROM oc_product_to_category AS k
) AS k
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', c.category_id, c.status, l.language_id, l.name, l.description)))) AS categories_text
  FROM oc_category AS c
  JOIN oc_category_description AS l ON l.category_id = c.category_id
) AS c
CROSS JOIN (
  SELECT COUNT(*) AS steps, SUM(CRC32(CRC32(CONCAT_WS('|', a.category_id, a.path_id, a.level)))) AS steps_rows
  FROM oc_category_path AS a
) AS a
CROSS JOIN (
  SELECT
    COUNT(*) AS reviews,
    SUM(CRC32(CRC32(CONCAT_WS('|', r.review_id, r.product_id, r.rating, r.status)))) AS reviews_rows
  FROM oc_review AS r
) AS r
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', o.`key`, o.value)))) AS options_text
  FROM oc_setting AS o
  WHERE o.store_id = 0
    AND o.`key` IN ('config_name', 'config_currency', 'config_language_catalog', 'config_language', 'config_customer_price',
      'config_timezone', 'config_maintenance')
) AS o
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', u.code, u.decimal_place)))) AS currencies_digits FROM oc_currency AS u
) AS u
