-- Vendure's database does not have the shop's name and address: write them here, and the address in `siteUrl` of the configuration.
SELECT
  COALESCE((SELECT NULLIF(b.name, 'Default Seller') FROM channel AS c JOIN seller AS b ON b.id = c."sellerId" WHERE c.id = s.channel_id), 'Shop')
    AS store_name,
  '' AS tagline,
  '' AS description,
  '' AS logo_url,
  '' AS favicon_url,
  s.currency AS currency,
  '/' AS public_url,
  '' AS support_url,
  '' AS docs_url,
  '' AS blog_url,
  '[]' AS social_links
FROM settings AS s
