-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of times, not the latest time: one in the future, or of a transaction that commits late, would hide the others.
-- Orders do not change this row: they write to quantities. Only the hourly reading of all rows notices the edited text of a review.
SELECT p.*, k.*, c.*, a.*, r.*, o.*, u.*
FROM (
  -- OpenCart sets the time whenever it saves a product. No index has it, but the rows are short: texts are in another table.
  SELECT
    COUNT(*) AS goods, SUM(TO_SECONDS(p.date_modified)) AS goods_saved_at, SUM(p.price) AS goods_price,
    COUNT(CASE WHEN p.status = 1 THEN 1 END) AS goods_active
  FROM oc_product AS p
) AS p
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(k.category_id) AS places_shelves FROM oc_product_to_category AS k
) AS k
CROSS JOIN (
  SELECT SUM(CRC32(CONCAT_WS('|', c.category_id, c.status, l.language_id, l.name, l.description))) AS categories_text
  FROM oc_category AS c
  JOIN oc_category_description AS l ON l.category_id = c.category_id
) AS c
CROSS JOIN (
  SELECT COUNT(*) AS steps, SUM(a.category_id * a.path_id) AS steps_sum FROM oc_category_path AS a
) AS a
CROSS JOIN (
  SELECT
    COUNT(*) AS reviews, MAX(r.review_id) AS reviews_id, SUM(r.rating) AS reviews_rating,
    COUNT(CASE WHEN r.status = 1 THEN 1 END) AS reviews_approved
  FROM oc_review AS r
) AS r
CROSS JOIN (
  SELECT SUM(CRC32(CONCAT_WS('|', o.`key`, o.value))) AS options_text
  FROM oc_setting AS o
  WHERE o.store_id = 0
    AND o.`key` IN ('config_name', 'config_currency', 'config_language_catalog', 'config_language', 'config_customer_price',
      'config_timezone', 'config_maintenance')
) AS o
CROSS JOIN (
  SELECT SUM(CRC32(CONCAT_WS('|', u.code, u.decimal_place))) AS currencies_digits FROM oc_currency AS u
) AS u
