-- Conditions for what is public. The other files use these like tables.
WITH RECURSIVE
-- Public options. `network` is the upload folder of a multisite's site, from its number in the tables' names: wp_2_options.
-- `zone_minutes` is the site's offset from UTC, for a server without tables of time zones: that of the newest post of which
-- WordPress has both times. The option of the offset is not kept up to date where a time zone is named.
settings (home, siteurl, upload_path, upload_url, permalinks, network, zone, zone_minutes) AS (
  SELECT
    MAX(CASE WHEN o.option_name = 'home' THEN TRIM(TRAILING '/' FROM o.option_value) END),
    MAX(CASE WHEN o.option_name = 'siteurl' THEN TRIM(TRAILING '/' FROM o.option_value) END),
    COALESCE(MAX(CASE WHEN o.option_name = 'upload_path' THEN TRIM(TRAILING '/' FROM TRIM(o.option_value)) END), ''),
    COALESCE(MAX(CASE WHEN o.option_name = 'upload_url_path' THEN TRIM(TRAILING '/' FROM TRIM(o.option_value)) END), ''),
    MAX(CASE WHEN o.option_name = 'permalink_structure' THEN o.option_value END),
    CASE
      WHEN 'wp_options' REGEXP '_[0-9]+_options$' THEN CONCAT('sites/', SUBSTRING_INDEX(SUBSTRING_INDEX('wp_options', '_', -2), '_', 1), '/')
      ELSE ''
    END,
    MAX(CASE WHEN o.option_name = 'timezone_string' THEN NULLIF(o.option_value, '') END),
    COALESCE(
      CASE WHEN MAX(CASE WHEN o.option_name = 'timezone_string' THEN o.option_value END) <> '' THEN (
        SELECT TIMESTAMPDIFF(MINUTE, p.post_modified_gmt, p.post_modified)
        FROM wp_posts AS p
        WHERE p.post_modified_gmt BETWEEN '1970-01-02 00:00:00' AND @now
        ORDER BY p.ID DESC
        LIMIT 1
      ) END,
      MAX(CASE WHEN o.option_name = 'gmt_offset' THEN ROUND(60 * CAST(o.option_value AS DECIMAL(6, 2))) END),
      0
    )
  FROM wp_options AS o
  WHERE o.option_name IN ('home', 'siteurl', 'upload_path', 'upload_url_path', 'permalink_structure', 'timezone_string', 'gmt_offset')
),
-- The address of uploads, as made by wp_upload_dir(). For a folder outside of the site, the default address is used.
-- Multisites from before WordPress 3.5 have `blogs.dir`, which WordPress serves as `files`.
upload_addresses (url) AS (
  SELECT
    CASE
      WHEN s.upload_url <> '' THEN CONCAT(s.upload_url, '/', s.network)
      WHEN s.upload_path LIKE '%blogs.dir%' THEN CONCAT(s.siteurl, '/files/')
      WHEN s.upload_path = '' OR s.upload_path REGEXP '^(/|[A-Za-z]:)' THEN CONCAT(s.siteurl, '/wp-content/uploads/', s.network)
      ELSE CONCAT(s.siteurl, '/', s.upload_path, '/', s.network)
    END
  FROM settings AS s
),
-- Addresses of pages and uploads; on the site's own host, they are paths. `front` and `slash` enclose the address of a named
-- page; `front` is NULL if the site has plain addresses (?p=1).
site (path, uploads, posts, front, slash) AS (
  SELECT
    REGEXP_REPLACE(s.home, '^[a-z]+://[^/]*', ''),
    CASE
      WHEN u.url LIKE '//%' THEN CONCAT('https:', u.url)
      WHEN SUBSTRING_INDEX(SUBSTRING_INDEX(u.url, '://', -1), '/', 1) = SUBSTRING_INDEX(SUBSTRING_INDEX(s.home, '://', -1), '/', 1)
        THEN REGEXP_REPLACE(u.url, '^[a-z]+://[^/]*', '')
      ELSE u.url
    END,
    s.permalinks,
    CASE WHEN s.permalinks = '' THEN NULL WHEN s.permalinks LIKE '/index.php/%' THEN '/index.php/' ELSE '/' END,
    CASE WHEN s.permalinks LIKE '%/' THEN '/' ELSE '' END
  FROM settings AS s
  JOIN upload_addresses AS u
),
-- Only the currency's code is read from `edd_settings`, which also has keys. The default is US dollars; RIAL is the shop's own word
-- for IRR. `digits` are those that the shop shows: none in some currencies, else two, whatever ISO 4217 says.
currency (code, digits) AS (
  SELECT
    CASE c.code WHEN 'RIAL' THEN 'IRR' ELSE c.code END,
    CASE
      WHEN c.code IN ('BIF', 'CLP', 'DJF', 'GNF', 'HUF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RIAL', 'RWF', 'TWD', 'UGX', 'VND', 'VUV',
        'XAF', 'XOF', 'XPF') THEN 0
      ELSE 2
    END
  FROM (
    SELECT COALESCE(MAX(SUBSTRING_INDEX(TRIM(TRAILING '"' FROM
      REGEXP_SUBSTR(o.option_value, '"currency";s:[34]:"[A-Z]{3,4}"')), '"', -1)), 'USD') AS code
    FROM wp_options AS o
    WHERE o.option_name = 'edd_settings' AND o.option_value LIKE '%"currency";%'
  ) AS c
),
-- When products and posts were published and changed, in UTC. Times that WordPress stored only in local time are converted: of a draft
-- that code publishes (wp_publish_post), there is no other.
dated (id, published_at, updated_at) AS (
  SELECT
    t.id,
    CASE WHEN t.published_gmt > '1970-01-01 00:00:00' THEN t.published_gmt ELSE t.published_local END,
    CASE
      WHEN t.updated_gmt > '1970-01-01 00:00:00' THEN t.updated_gmt
      WHEN t.updated_local IS NOT NULL THEN t.updated_local
      WHEN t.published_gmt > '1970-01-01 00:00:00' THEN t.published_gmt
      ELSE t.published_local
    END
  FROM (
    SELECT
      p.ID AS id,
      p.post_date_gmt AS published_gmt,
      p.post_modified_gmt AS updated_gmt,
      CASE
        WHEN p.post_date > '1970-01-02 00:00:00'
          THEN COALESCE(CONVERT_TZ(p.post_date, s.zone, '+00:00'), p.post_date - INTERVAL s.zone_minutes MINUTE)
      END AS published_local,
      CASE
        WHEN p.post_modified > '1970-01-02 00:00:00'
          THEN COALESCE(CONVERT_TZ(p.post_modified, s.zone, '+00:00'), p.post_modified - INTERVAL s.zone_minutes MINUTE)
      END AS updated_local
    FROM wp_posts AS p
    JOIN settings AS s
    WHERE p.post_type IN ('download', 'post') AND p.post_status = 'publish'
  ) AS t
),
-- The language of each post, and the group of its translations, as Polylang stores them; `init` adds WPML's table.
translations (post_id, code, original) AS (
  SELECT r.object_id, CONVERT(t.slug USING utf8mb4) COLLATE utf8mb4_bin, CONCAT('polylang ', (
    SELECT MIN(g.term_taxonomy_id)
    FROM wp_term_relationships AS g
    JOIN wp_term_taxonomy AS y ON y.term_taxonomy_id = g.term_taxonomy_id AND y.taxonomy = 'post_translations'
    WHERE g.object_id = r.object_id
  ))
  FROM wp_term_relationships AS r
  JOIN wp_term_taxonomy AS x ON x.term_taxonomy_id = r.term_taxonomy_id
  JOIN wp_terms AS t ON t.term_id = x.term_id
  WHERE x.taxonomy = 'language'
),
-- The public language: the site's default. `vitrine init --language` writes another one.
shown_language (code) AS (
  SELECT COALESCE(
    (
      SELECT CONVERT(MAX(SUBSTRING_INDEX(SUBSTRING_INDEX(
        REGEXP_SUBSTR(o.option_value, '"default_lang(uage)?";s:[0-9]+:"[^"]+"'), '"', -2), '"', 1)) USING utf8mb4) COLLATE utf8mb4_bin
      FROM wp_options AS o
      WHERE o.option_name IN ('icl_sitepress_settings', 'polylang')
    ),
    (SELECT t.code FROM translations AS t ORDER BY t.post_id LIMIT 1)
  )
),
-- Posts in other languages; `is_translation` is true for translations of a public post.
in_other_languages (id, is_translation) AS (
  SELECT t.post_id, MAX(o.original IS NOT NULL)
  FROM translations AS t
  JOIN shown_language AS l ON t.code <> l.code
  LEFT JOIN (
    -- DISTINCT keeps MariaDB from computing these again for each text.
    SELECT DISTINCT t.original
    FROM translations AS t
    JOIN shown_language AS l ON t.code = l.code
    JOIN wp_posts AS p ON p.ID = t.post_id AND p.post_status = 'publish'
  ) AS o ON o.original = t.original
  GROUP BY t.post_id
),
-- Posts in no language, of a kind that has languages by Polylang's own settings: Polylang lists them nowhere.
in_no_language (id) AS (
  SELECT p.ID
  FROM (
    SELECT DISTINCT q.post_type
    FROM wp_term_relationships AS r
    JOIN wp_term_taxonomy AS x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'language'
    JOIN wp_posts AS q ON q.ID = r.object_id
    WHERE q.post_type = 'post'
      OR EXISTS (
        SELECT 1 FROM wp_options AS o
        WHERE o.option_name = 'polylang' AND o.option_value REGEXP '"post_types";a:[0-9]+:[{][^}]*"download"'
      )
  ) AS k
  JOIN wp_posts AS p ON p.post_type = k.post_type AND p.post_status = 'publish'
  LEFT JOIN (SELECT DISTINCT t.post_id FROM translations AS t) AS t ON t.post_id = p.ID
  WHERE t.post_id IS NULL
),
-- Posts that a membership plugin shows to members or buyers only: Restrict Content Pro (by post, term or post type), EDD Content
-- Restriction, Ultimate Member (by post or term), Members and Groups. `init` adds the tables of Paid Memberships Pro.
members_only (id) AS (
  SELECT m.post_id
  FROM wp_postmeta AS m
  WHERE (
      m.meta_key IN ('_is_paid', 'rcp_subscription_level', 'rcp_user_level', 'rcp_access_level', '_edd_cr_restricted_to')
      AND LOWER(m.meta_value) NOT IN ('', '0', 'all', 'none')
      AND LOWER(m.meta_value) NOT REGEXP '^a:(0:|[0-9]+:[{]i:0;s:[0-9]+:"(all|none)")'
    ) OR (
      m.meta_key = 'um_content_restriction'
      AND m.meta_value REGEXP '"_um_custom_access_settings";(b:1|i:1|s:1:"1")'
      AND m.meta_value REGEXP '"_um_accessible";(i:2|s:1:"2")'
    ) OR (m.meta_key IN ('_members_access_role', 'groups-read') AND m.meta_value <> '')
  UNION
  SELECT r.object_id
  FROM wp_termmeta AS m
  JOIN wp_term_taxonomy AS x ON x.term_id = m.term_id
  JOIN wp_term_relationships AS r ON r.term_taxonomy_id = x.term_taxonomy_id
  WHERE (
      m.meta_key = 'rcp_restricted_meta'
      AND m.meta_value REGEXP '"paid_only"|"subscriptions"|"access_level";(i|s:[0-9]+):"?[1-9]'
    ) OR (
      m.meta_key = 'um_content_restriction'
      AND m.meta_value REGEXP '"_um_custom_access_settings";(b:1|i:1|s:1:"1")'
      AND m.meta_value REGEXP '"_um_accessible";(i:2|s:1:"2")'
    )
  UNION
  SELECT p.ID
  FROM wp_options AS o
  JOIN wp_posts AS p
    ON (p.post_type = 'download' AND o.option_value REGEXP '"download";a:[1-9]')
    OR (p.post_type = 'post' AND o.option_value REGEXP '"post";a:[1-9]')
  WHERE o.option_name = 'rcp_restricted_post_types'
),
-- Downloads that the shop itself lists. `hidden` is the reason why one is not public: something is missing, a password, or a
-- membership plugin.
published_downloads (id, hidden, published_at, updated_at) AS (
  SELECT
    p.ID,
    CASE
      WHEN p.post_title = '' THEN 'without a title'
      WHEN p.post_name = '' THEN 'without an address'
      WHEN d.published_at IS NULL THEN 'without a date'
      WHEN d.published_at > @now THEN 'dated in the future'
      WHEN p.post_password <> '' THEN 'protected by a password'
      WHEN m.id IS NOT NULL THEN 'for members alone'
      WHEN o.id IS NOT NULL THEN 'in another language'
      WHEN n.id IS NOT NULL THEN 'in no language'
    END,
    d.published_at,
    d.updated_at
  FROM wp_posts AS p
  JOIN dated AS d ON d.id = p.ID
  LEFT JOIN in_other_languages AS o ON o.id = p.ID
  LEFT JOIN in_no_language AS n ON n.id = p.ID
  LEFT JOIN members_only AS m ON m.id = p.ID
  WHERE p.post_type = 'download'
    AND COALESCE(o.is_translation, 0) = 0
),
visible_downloads (id) AS (
  SELECT p.id FROM published_downloads AS p WHERE p.hidden IS NULL
),
-- The entered values of the keys that may be read. Of several rows with the same key WordPress reads the first.
first_details (meta_id) AS (
  SELECT MIN(m.meta_id)
  FROM wp_postmeta AS m
  WHERE m.meta_key IN ('edd_price', '_variable_pricing', 'edd_variable_prices', '_edd_product_type', 'edd_reviews_status')
  GROUP BY m.post_id, m.meta_key
),
details (download_id, price, has_variants, variants, kind, reviews) AS (
  SELECT
    m.post_id,
    MAX(CASE WHEN m.meta_key = 'edd_price' THEN NULLIF(m.meta_value, '') END),
    COALESCE(MAX(CASE WHEN m.meta_key = '_variable_pricing' THEN m.meta_value NOT IN ('', '0') END), 0),
    MAX(CASE WHEN m.meta_key = 'edd_variable_prices' THEN m.meta_value END),
    MAX(CASE WHEN m.meta_key = '_edd_product_type' THEN NULLIF(m.meta_value, '') END),
    MAX(CASE WHEN m.meta_key = 'edd_reviews_status' THEN m.meta_value END)
  FROM first_details AS f
  JOIN wp_postmeta AS m ON m.meta_id = f.meta_id
  GROUP BY m.post_id
),
shelves (download_id, category_id) AS (
  SELECT r.object_id, COALESCE(MIN(CASE WHEN m.meta_value = x.term_id THEN x.term_id END), MIN(x.term_id))
  FROM wp_term_relationships AS r
  JOIN wp_term_taxonomy AS x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'download_category'
  LEFT JOIN (
    -- DISTINCT keeps MariaDB from scanning all metadata of each product.
    SELECT DISTINCT f.post_id, f.meta_value
    FROM wp_postmeta AS f
    WHERE f.meta_key = '_yoast_wpseo_primary_download_category'
      AND NOT EXISTS (SELECT 1 FROM wp_postmeta AS e WHERE e.post_id = f.post_id AND e.meta_key = f.meta_key AND e.meta_id < f.meta_id)
  ) AS m ON m.post_id = r.object_id
  GROUP BY r.object_id
),
places (n) AS (
  SELECT 1 UNION ALL SELECT p.n + 1 FROM places AS p WHERE p.n < 50
),
-- Prices of variants are in one text, serialised by PHP: ….s:4:"name";s:8:"Extended";s:6:"amount";s:5:"99.00";…
-- Each piece is the text before and after one of the words "amount". Without an amount, a variant costs nothing in the shop.
pieces (download_id, front, back) AS (
  SELECT
    d.download_id,
    SUBSTRING_INDEX(SUBSTRING_INDEX(d.variants, '"amount";', p.n), '"name";', -1),
    SUBSTRING_INDEX(SUBSTRING_INDEX(d.variants, '"amount";', p.n + 1), '"amount";', -1)
  FROM details AS d
  JOIN places AS p ON p.n <= (CHAR_LENGTH(d.variants) - CHAR_LENGTH(REPLACE(d.variants, '"amount";', ''))) / 9
  WHERE d.has_variants
),
variants (download_id, is_extended, price) AS (
  SELECT
    p.download_id,
    p.front LIKE 's:%:"Extended%',
    CAST(CASE
      WHEN p.back REGEXP '^s:[0-9]+:"[0-9]+([.][0-9]+)?";' THEN SUBSTRING_INDEX(SUBSTRING_INDEX(p.back, '"', 2), '"', -1)
      WHEN p.back LIKE 's:0:"";%' THEN '0'
      WHEN p.back REGEXP '^[id]:[0-9]+([.][0-9]+)?;' THEN SUBSTRING_INDEX(SUBSTRING_INDEX(p.back, ';', 1), ':', -1)
    END AS DECIMAL(20, 4))
  FROM pieces AS p
),
lowest (download_id, price, extended) AS (
  SELECT v.download_id, MIN(v.price), MIN(CASE WHEN v.is_extended THEN v.price END)
  FROM variants AS v
  GROUP BY v.download_id
),
-- Visible downloads with a price; with variants, the lowest one. Not all have a category.
public_downloads (id, category_id, kind, price, extended) AS (
  SELECT
    v.id,
    s.category_id,
    CASE WHEN d.kind REGEXP '^[a-z0-9_-]+$' THEN d.kind ELSE 'download' END,
    CASE WHEN d.has_variants THEN CAST(l.price AS CHAR) ELSE d.price END,
    l.extended
  FROM visible_downloads AS v
  LEFT JOIN shelves AS s ON s.download_id = v.id
  JOIN details AS d ON d.download_id = v.id
  LEFT JOIN lowest AS l ON l.download_id = v.id
  WHERE CASE WHEN d.has_variants THEN l.price IS NOT NULL ELSE d.price IS NOT NULL END
),
-- Each category with itself and its ancestors; a cycle ends after ten steps.
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
-- Files of the media library, relative to the upload folder. Old sites store the path on the server, which is shortened as in
-- wp_get_attachment_url(); NULL if that is not possible.
upload_files (id, file) AS (
  SELECT
    a.ID,
    CASE
      WHEN f.meta_value LIKE '%wp-content/uploads/%' THEN REGEXP_REPLACE(
        SUBSTRING(f.meta_value, LOCATE('wp-content/uploads/', f.meta_value) + 19), CONCAT('^', s.network), '')
      WHEN s.upload_path <> '' AND LEFT(f.meta_value, CHAR_LENGTH(s.upload_path) + 1) = CONCAT(s.upload_path, '/')
        THEN SUBSTRING(f.meta_value, CHAR_LENGTH(s.upload_path) + 2)
      WHEN f.meta_value REGEXP '^(/|[A-Za-z]:)' THEN NULL
      ELSE f.meta_value
    END
  FROM wp_posts AS a
  JOIN settings AS s
  JOIN wp_postmeta AS f ON f.meta_id = (
    SELECT MIN(m.meta_id) FROM wp_postmeta AS m WHERE m.post_id = a.ID AND m.meta_key = '_wp_attached_file'
  )
  WHERE a.post_type = 'attachment'
    AND a.post_status = 'inherit'
    AND a.post_mime_type LIKE 'image/%'
),
-- Pictures, never files of the download folder. One without an address gets an invalid one, so that it is counted.
pictures (id, url) AS (
  SELECT f.id, COALESCE(CONCAT(w.uploads, f.file), 'file:')
  FROM upload_files AS f
  JOIN site AS w
  WHERE f.file IS NULL OR (f.file NOT LIKE 'edd/%' AND f.file NOT LIKE '%..%')
)
