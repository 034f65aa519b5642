-- Returns a row if the store is in maintenance, so that visitors can't see it. Its own setting has precedence.
SELECT 'OpenCart is in maintenance (System, Settings, Server, Maintenance mode)' AS reason
FROM (
  SELECT o.value
  FROM oc_setting AS o
  JOIN settings AS s ON o.store_id IN (0, s.store_id)
  WHERE o.`key` = 'config_maintenance'
  ORDER BY o.store_id DESC
  LIMIT 1
) AS m
WHERE m.value = '1'
