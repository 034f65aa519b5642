-- The next moment at which a product becomes available, in the time of `clock`.
SELECT DATE_FORMAT(MIN(m.moment), '%Y-%m-%d %H:%i:%s') AS next_change_at
FROM (
  SELECT COALESCE(CONVERT_TZ(p.date_available, s.time_zone, '+00:00'), p.date_available + INTERVAL 12 HOUR) AS moment
  FROM oc_product AS p
  CROSS JOIN settings AS s
  JOIN oc_product_to_store AS h ON h.product_id = p.product_id AND h.store_id = 0
  WHERE p.status = 1 AND p.date_available > '1970-01-01'
) AS m
WHERE m.moment > @now
