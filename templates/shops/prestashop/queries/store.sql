-- Name, address and currency of the default shop.
SELECT
  h.name AS store_name,
  '' AS tagline,
  '' AS description,
  '' AS logo_url,
  '' AS favicon_url,
  c.iso_code AS currency,
  CONCAT('https://', u.domain_ssl, u.physical_uri) AS public_url,
  '' AS support_url,
  '' AS docs_url,
  '' AS blog_url,
  '[]' AS social_links
FROM settings AS s
JOIN ps_shop AS h ON h.id_shop = s.shop_id
JOIN ps_shop_url AS u ON u.id_shop = s.shop_id AND u.main = 1 AND u.active = 1
JOIN ps_currency AS c ON c.id_currency = s.currency_id
