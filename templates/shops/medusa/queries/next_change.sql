-- The next moment at which a price list of a product that the shop lists begins or has ended, or a key is no longer valid. A list
-- is still valid at its last moment.
SELECT MIN(m.moment) AS next_change_at
FROM (
  SELECT p.starts_at AS moment FROM prices AS p JOIN listed_products AS o ON o.id = p.product_id
  UNION ALL
  SELECT p.ends_at + INTERVAL '1 microsecond' FROM prices AS p JOIN listed_products AS o ON o.id = p.product_id
  UNION ALL
  SELECT k.revoked_at FROM api_key AS k WHERE k.type = 'publishable' AND k.deleted_at IS NULL
) AS m
WHERE m.moment > current_setting('vitrine.now')::timestamptz
