-- The next moment at which a product becomes available, or a price of a public product begins or ends, in the time of `clock`.
SELECT DATE_FORMAT(MIN(m.moment), '%Y-%m-%d %H:%i:%s') AS next_change_at
FROM (
  SELECT COALESCE(CONVERT_TZ(p.date_available, s.time_zone, '+00:00'), p.date_available + INTERVAL 12 HOUR) AS moment
  FROM oc_product AS p
  CROSS JOIN settings AS s
  JOIN oc_product_to_store AS h ON h.product_id = p.product_id AND h.store_id = s.store_id
  WHERE p.status = 1 AND p.date_available > '1970-01-01'
  UNION ALL
  -- A price begins after its first midnight, and ends with its last.
  SELECT COALESCE(CONVERT_TZ(o.begins, s.time_zone, '+00:00'), o.begins + INTERVAL 12 HOUR) + INTERVAL 1 SECOND
  FROM offers AS o
  CROSS JOIN settings AS s
  JOIN public_products AS v ON v.id = o.product_id
  WHERE o.begins > '1970-01-01'
  UNION ALL
  SELECT COALESCE(CONVERT_TZ(o.ends, s.time_zone, '+00:00'), o.ends - INTERVAL 14 HOUR)
  FROM offers AS o
  CROSS JOIN settings AS s
  JOIN public_products AS v ON v.id = o.product_id
  WHERE o.ends > '1970-01-01'
) AS m
WHERE m.moment > @now
