-- The next moment at which a sale of a public product begins or ends, in the time of `clock`. DISTINCT keeps MariaDB from
-- planning the order of all joins together, which takes it a second.
SELECT DATE_FORMAT(MIN(m.moment), '%Y-%m-%d %H:%i:%s') AS next_change_at
FROM (
  SELECT
    CASE
      WHEN e.side = 'begins' AND r.begins > '1970-01-01 00:00:00'
        -- It begins with the next whole minute.
        THEN COALESCE(CONVERT_TZ(r.begins, s.time_zone, '+00:00'), r.begins + INTERVAL 12 HOUR) + INTERVAL (60 - SECOND(r.begins)) % 60 SECOND
      WHEN e.side = 'ends' AND r.ends > '1970-01-01 00:00:00'
        -- It runs until the end of its last minute.
        THEN COALESCE(CONVERT_TZ(r.ends, s.time_zone, '+00:00'), r.ends - INTERVAL 14 HOUR) + INTERVAL 60 - SECOND(r.ends) SECOND
    END AS moment
  FROM sales AS r
  JOIN (SELECT DISTINCT p.id FROM public_products AS p) AS v ON v.id = r.product_id
  CROSS JOIN settings AS s
  CROSS JOIN (SELECT 'begins' AS side UNION ALL SELECT 'ends') AS e
) AS m
WHERE m.moment > @now
