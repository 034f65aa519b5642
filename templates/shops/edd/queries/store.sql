-- The site's name and address, from public options. Keys and e-mail addresses are in the same table.
SELECT
  MAX(CASE WHEN o.option_name = 'blogname' THEN o.option_value END) AS store_name_html,
  MAX(CASE WHEN o.option_name = 'blogdescription' THEN o.option_value END) AS tagline_html,
  '' AS description,
  '' AS logo_url,
  '' AS favicon_url,
  (SELECT c.code FROM currency AS c) AS currency,
  MAX(CASE WHEN o.option_name = 'home' THEN o.option_value END) AS public_url,
  '' AS support_url,
  '' AS docs_url,
  '' AS blog_url,
  '[]' AS social_links
FROM wp_options AS o
WHERE o.option_name IN ('blogname', 'blogdescription', 'home')
