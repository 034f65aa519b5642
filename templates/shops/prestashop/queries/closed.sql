-- Returns a row if the default shop is in maintenance, so that visitors can't see it. Its own setting has precedence over that of
-- its group, and that over the one for all shops.
SELECT 'PrestaShop is in maintenance (Shop parameters, General, Maintenance)' AS reason
FROM (
  SELECT c.value
  FROM ps_configuration AS c
  JOIN settings AS s
  LEFT JOIN ps_shop AS h ON h.id_shop = s.shop_id
  WHERE c.name = 'PS_SHOP_ENABLE'
    AND (c.id_shop IS NULL OR c.id_shop = s.shop_id)
    AND (c.id_shop_group IS NULL OR c.id_shop_group = h.id_shop_group)
  ORDER BY c.id_shop IS NULL, c.id_shop_group IS NULL
  LIMIT 1
) AS e
WHERE COALESCE(e.value, '') IN ('', '0')
