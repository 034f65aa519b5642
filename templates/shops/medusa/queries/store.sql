-- Medusa's database does not have the shop's address: write it here, and in `siteUrl` of the configuration.
SELECT
  s.name AS store_name,
  '' AS tagline,
  '' AS description,
  '' AS logo_url,
  '' AS favicon_url,
  UPPER(c.currency) AS currency,
  '/' AS public_url,
  '' AS support_url,
  '' AS docs_url,
  '' AS blog_url,
  '[]' AS social_links
FROM store AS s
CROSS JOIN settings AS c
WHERE s.deleted_at IS NULL
