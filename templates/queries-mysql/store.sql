-- The shop's public profile. Keys, passwords and the owner's address are in the same row: read a column's content before you add it.
SELECT
  s.name AS store_name,
  s.tagline AS tagline,
  s.description AS description,
  s.logo_url AS logo_url,
  s.favicon_url AS favicon_url,
  s.currency AS currency,
  s.url AS public_url,
  COALESCE(s.support_url, '') AS support_url,
  COALESCE(s.docs_url, '') AS docs_url,
  COALESCE(s.blog_url, '') AS blog_url,
  (
    SELECT CONCAT(
      '[',
      COALESCE(GROUP_CONCAT(JSON_OBJECT('network', l.network, 'url', l.url) ORDER BY l.position, l.id SEPARATOR ','), ''),
      ']'
    )
    FROM social_links AS l
    WHERE l.is_enabled = 1
  ) AS social_links
FROM store_settings AS s
WHERE s.id = 1
