-- Returns a row if the default store is in maintenance, so that visitors can't see the shop.
SELECT 'OpenCart is in maintenance (System, Settings, Server, Maintenance mode)' AS reason
FROM oc_setting AS s
WHERE s.store_id = 0
  AND s.`key` = 'config_maintenance'
  AND s.value = '1'
