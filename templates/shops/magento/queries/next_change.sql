-- The next moment at which a special price of a public product, or a price of a catalog rule, begins or ends.
SELECT DATE_FORMAT(MIN(m.moment), '%Y-%m-%d %H:%i:%s') AS next_change_at
FROM (
  SELECT COALESCE(CONVERT_TZ(r.begins, s.time_zone, '+00:00'), r.begins + INTERVAL 12 HOUR) AS moment
  FROM specials AS r CROSS JOIN settings AS s
  WHERE r.price IS NOT NULL
  UNION ALL
  SELECT COALESCE(CONVERT_TZ(r.ends, s.time_zone, '+00:00'), r.ends - INTERVAL 14 HOUR)
  FROM specials AS r CROSS JOIN settings AS s
  WHERE r.price IS NOT NULL
  UNION ALL
  SELECT COALESCE(CONVERT_TZ(g.rule_date, s.time_zone, '+00:00'), g.rule_date + INTERVAL 12 HOUR)
  FROM mage_catalogrule_product_price AS g CROSS JOIN settings AS s
  WHERE g.website_id = s.website_id AND g.customer_group_id = 0
  UNION ALL
  SELECT COALESCE(CONVERT_TZ(g.rule_date + INTERVAL 1 DAY, s.time_zone, '+00:00'), g.rule_date + INTERVAL 10 HOUR)
  FROM mage_catalogrule_product_price AS g CROSS JOIN settings AS s
  WHERE g.website_id = s.website_id AND g.customer_group_id = 0
) AS m
WHERE m.moment > @now
