-- Why visitors are shown nothing of the shop: a row where the default store is in maintenance.
SELECT 'OpenCart is in maintenance (System, Settings, Server, Maintenance mode)' AS reason
FROM oc_setting AS s
WHERE s.store_id = 0
  AND s.`key` = 'config_maintenance'
  AND s.value = '1'
