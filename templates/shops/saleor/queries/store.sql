SELECT
  s.name AS store_name,
  '' AS tagline,
  '' AS description,
  '' AS logo_url,
  '' AS favicon_url,
  c.currency AS currency,
  'https://' || s.domain AS public_url,
  '' AS support_url,
  '' AS docs_url,
  '' AS blog_url,
  '[]' AS social_links
FROM (SELECT t.name, t.domain FROM django_site AS t ORDER BY t.id LIMIT 1) AS s
CROSS JOIN channel AS c
