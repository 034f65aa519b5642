-- What is public, written once: the other files name these as if they were tables.
WITH RECURSIVE
-- Where pages and uploads stand, of options that everybody sees. `front` and `slash` enclose the address of a page that has
-- a name; `front` is NULL where the site has plain addresses (?p=1).
site (path, uploads, posts, front, slash) AS (
  SELECT
    MAX(CASE WHEN o.option_name = 'home' THEN REGEXP_REPLACE(TRIM(TRAILING '/' FROM o.option_value), '^[a-z]+://[^/]*', '') END),
    MAX(CASE
      WHEN o.option_name = 'siteurl'
        THEN CONCAT(REGEXP_REPLACE(TRIM(TRAILING '/' FROM o.option_value), '^[a-z]+://[^/]*', ''), '/wp-content/uploads/')
    END),
    MAX(CASE WHEN o.option_name = 'permalink_structure' THEN o.option_value END),
    MAX(CASE
      WHEN o.option_name <> 'permalink_structure' OR o.option_value = '' THEN NULL
      WHEN o.option_value LIKE '/index.php/%' THEN '/index.php/'
      ELSE '/'
    END),
    MAX(CASE WHEN o.option_name = 'permalink_structure' AND o.option_value LIKE '%/' THEN '/' ELSE '' END)
  FROM wp_options AS o
  WHERE o.option_name IN ('home', 'siteurl', 'permalink_structure')
),
-- Its code alone is read of `edd_settings`, where keys are, too. Whoever never chose one has dollars.
currency (code) AS (
  SELECT COALESCE(MAX(RIGHT(TRIM(TRAILING '"' FROM REGEXP_SUBSTR(o.option_value, '"currency";s:3:"[A-Z]{3}"')), 3)), 'USD')
  FROM wp_options AS o
  WHERE o.option_name = 'edd_settings' AND o.option_value LIKE '%"currency";%'
),
-- What the shop's own API lists: published, out, and with an address.
published_downloads (id, is_protected) AS (
  SELECT p.ID, p.post_password <> ''
  FROM wp_posts AS p
  WHERE p.post_type = 'download'
    AND p.post_status = 'publish'
    AND p.post_name <> ''
    AND p.post_title <> ''
    AND p.post_date_gmt > '1970-01-01 00:00:00'
    AND p.post_date_gmt <= @now
),
visible_downloads (id) AS (
  SELECT p.id FROM published_downloads AS p WHERE NOT p.is_protected
),
shelves (download_id, category_id) AS (
  SELECT r.object_id, COALESCE(MIN(CASE WHEN m.meta_value = x.term_id THEN x.term_id END), MIN(x.term_id))
  FROM wp_term_relationships AS r
  JOIN wp_term_taxonomy AS x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'download_category'
  LEFT JOIN wp_postmeta AS m ON m.post_id = r.object_id AND m.meta_key = '_yoast_wpseo_primary_download_category'
  GROUP BY r.object_id
),
-- What the editor entered, of the keys that may be read.
details (download_id, price, has_variants, variants, kind, image_id) AS (
  SELECT
    m.post_id,
    MAX(CASE WHEN m.meta_key = 'edd_price' THEN NULLIF(m.meta_value, '') END),
    MAX(CASE WHEN m.meta_key = '_variable_pricing' THEN m.meta_value END),
    MAX(CASE WHEN m.meta_key = 'edd_variable_prices' THEN m.meta_value END),
    MAX(CASE WHEN m.meta_key = '_edd_product_type' THEN NULLIF(m.meta_value, '') END),
    MAX(CASE WHEN m.meta_key = '_thumbnail_id' THEN m.meta_value END)
  FROM wp_postmeta AS m
  WHERE m.meta_key IN ('edd_price', '_variable_pricing', 'edd_variable_prices', '_edd_product_type', '_thumbnail_id')
  GROUP BY m.post_id
),
places (n) AS (
  SELECT 1 UNION ALL SELECT p.n + 1 FROM places AS p WHERE p.n < 50
),
-- Prices of variants stand in one text that PHP wrote: ….s:4:"name";s:8:"Extended";s:6:"amount";s:5:"99.00";…
-- Each piece is what stands before and behind one of the words "amount".
pieces (download_id, front, back) AS (
  SELECT
    d.download_id,
    SUBSTRING_INDEX(SUBSTRING_INDEX(d.variants, '"amount";', p.n), '"name";', -1),
    SUBSTRING_INDEX(SUBSTRING_INDEX(d.variants, '"amount";', p.n + 1), '"amount";', -1)
  FROM details AS d
  JOIN places AS p ON p.n <= (CHAR_LENGTH(d.variants) - CHAR_LENGTH(REPLACE(d.variants, '"amount";', ''))) / 9
  WHERE d.has_variants = '1'
),
variants (download_id, is_extended, price) AS (
  SELECT
    p.download_id,
    p.front LIKE 's:%:"Extended%',
    CAST(CASE
      WHEN p.back REGEXP '^s:[0-9]+:"[0-9]+([.][0-9]+)?";' THEN SUBSTRING_INDEX(SUBSTRING_INDEX(p.back, '"', 2), '"', -1)
      WHEN p.back REGEXP '^[id]:[0-9]+([.][0-9]+)?;' THEN SUBSTRING_INDEX(SUBSTRING_INDEX(p.back, ';', 1), ':', -1)
    END AS DECIMAL(20, 4))
  FROM pieces AS p
),
lowest (download_id, price, extended) AS (
  SELECT v.download_id, MIN(v.price), MIN(CASE WHEN v.is_extended THEN v.price END)
  FROM variants AS v
  GROUP BY v.download_id
),
-- Those of them that have a price: with variants, the lowest of theirs. Not all have a category.
public_downloads (id, category_id, kind, price, extended) AS (
  SELECT
    v.id,
    s.category_id,
    CASE WHEN d.kind REGEXP '^[a-z0-9_-]+$' THEN d.kind ELSE 'download' END,
    CASE WHEN d.has_variants = '1' THEN CAST(l.price AS CHAR) ELSE d.price END,
    l.extended
  FROM visible_downloads AS v
  LEFT JOIN shelves AS s ON s.download_id = v.id
  JOIN details AS d ON d.download_id = v.id
  LEFT JOIN lowest AS l ON l.download_id = v.id
  WHERE CASE WHEN d.has_variants = '1' THEN l.price IS NOT NULL ELSE d.price IS NOT NULL END
),
-- Each category with itself and those that it stands below; what refers to itself ends after ten.
ancestors (category_id, term_id, depth) AS (
  SELECT x.term_id, x.term_id, 0
  FROM wp_term_taxonomy AS x
  WHERE x.taxonomy = 'download_category'
  UNION ALL
  SELECT a.category_id, x.parent, a.depth + 1
  FROM ancestors AS a
  JOIN wp_term_taxonomy AS x ON x.term_id = a.term_id AND x.taxonomy = 'download_category'
  WHERE x.parent <> 0 AND a.depth < 10
),
paths (category_id, path) AS (
  SELECT a.category_id, GROUP_CONCAT(t.slug ORDER BY a.depth DESC SEPARATOR '/')
  FROM ancestors AS a
  JOIN wp_terms AS t ON t.term_id = a.term_id
  GROUP BY a.category_id
),
-- Pictures of the media library; never what stands in the folder of download files.
pictures (id, url) AS (
  SELECT a.ID, CONCAT(w.uploads, f.meta_value)
  FROM wp_posts AS a
  JOIN site AS w
  JOIN wp_postmeta AS f ON f.post_id = a.ID AND f.meta_key = '_wp_attached_file'
  WHERE a.post_type = 'attachment'
    AND a.post_status = 'inherit'
    AND a.post_mime_type LIKE 'image/%'
    AND f.meta_value NOT LIKE 'edd/%'
    AND f.meta_value NOT LIKE '%..%'
)
