-- Name, address and currency of the default store.
SELECT
  s.store_name AS store_name,
  '' AS tagline,
  '' AS description,
  '' AS logo_url,
  '' AS favicon_url,
  s.currency AS currency,
  COALESCE(CONCAT(s.base_url, '/'), '/') AS public_url,
  '' AS support_url,
  '' AS docs_url,
  '' AS blog_url,
  '[]' AS social_links
FROM settings AS s
