-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of digests of rows: a count or a sum of values stays the same if two rows exchange them. CRC32 twice, because it is linear: sums
-- of one alone miss some exchanges. All rows, not the latest time: one in the future, or of a transaction that commits late, would
-- hide the others.
-- Orders do not change this row: they write to quantities. Only the hourly reading of all rows notices the edited text of a review.
SELECT p.*, f.*, k.*, c.*, h.*, a.*, r.*, o.*, m.*, t.*, u.*
FROM (
  -- OpenCart sets the time whenever it saves a product. No index has it, but the rows are short: texts are in another table.
  SELECT
    COUNT(*) AS goods,
    SUM(CRC32(CRC32(CONCAT_WS('|', p.product_id, p.date_modified, p.price, p.status)))) AS goods_rows
  FROM oc_product AS p
) AS p
CROSS JOIN (
  SELECT
    COUNT(*) AS offered,
    SUM(CRC32(CRC32(CONCAT_WS('|', f.id, f.product_id, f.is_special, f.priority, f.value, f.kind,
      COALESCE(f.begins, ''), COALESCE(f.ends, ''))))) AS offered_rows
  FROM offers AS f
) AS f
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(CRC32(CRC32(CONCAT_WS('|', k.product_id, k.category_id)))) AS places_rows
  FROM oc_product_to_category AS k
) AS k
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', c.category_id, l.language_id, l.name, l.description)))) AS categories_text
  FROM oc_category AS c
  JOIN oc_category_description AS l ON l.category_id = c.category_id
) AS c
CROSS JOIN (
  SELECT COUNT(*) AS admitted, SUM(CRC32(CRC32(CONCAT_WS('|', h.category_id, h.store_id)))) AS admitted_rows
  FROM oc_category_to_store AS h
) AS h
CROSS JOIN (
  SELECT COUNT(*) AS steps, SUM(CRC32(CRC32(CONCAT_WS('|', a.category_id, a.parent_id, a.status)))) AS steps_rows
  FROM oc_category AS a
) AS a
CROSS JOIN (
  SELECT
    COUNT(*) AS reviews,
    SUM(CRC32(CRC32(CONCAT_WS('|', r.review_id, r.product_id, r.rating, r.status)))) AS reviews_rows
  FROM oc_review AS r
) AS r
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', o.name, o.value)))) AS options_text FROM options AS o
) AS o
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', m.store_id, m.value)))) AS maintenance
  FROM oc_setting AS m
  JOIN chosen_store AS c ON m.store_id IN (0, c.id)
  WHERE m.`key` = 'config_maintenance'
) AS m
CROSS JOIN (
  SELECT SUM(t.language_id) AS languages FROM texts AS t
) AS t
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', u.code, u.decimal_place)))) AS currencies_digits FROM oc_currency AS u
) AS u
