-- Name and currency of the store. Its address is in the shop's config.php: write it here.
SELECT
  s.store_name AS store_name_html,
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
