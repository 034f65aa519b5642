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
-- Base paths of products and categories, from one text serialised by PHP: …s:12:"product_base";s:5:"/shop";…
bases (product, category) AS (
  SELECT
    COALESCE(MAX(NULLIF(TRIM(BOTH '/' FROM SUBSTRING_INDEX(SUBSTRING_INDEX(
      REGEXP_SUBSTR(o.option_value, '"product_base";s:[0-9]+:"[^"]*"'), '"', -2), '"', 1)), '')), 'product'),
    COALESCE(MAX(NULLIF(TRIM(BOTH '/' FROM SUBSTRING_INDEX(SUBSTRING_INDEX(
      REGEXP_SUBSTR(o.option_value, '"category_base";s:[0-9]+:"[^"]*"'), '"', -2), '"', 1)), '')), 'product-category')
  FROM wp_options AS o
  WHERE o.option_name = 'woocommerce_permalinks'
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
    WHERE p.post_type IN ('product', 'post') AND p.post_status = 'publish'
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
        WHERE o.option_name = 'polylang' AND o.option_value REGEXP '"post_types";a:[0-9]+:[{][^}]*"product"'
      )
  ) AS k
  JOIN wp_posts AS p ON p.post_type = k.post_type AND p.post_status = 'publish'
  LEFT JOIN (SELECT DISTINCT t.post_id FROM translations AS t) AS t ON t.post_id = p.ID
  WHERE t.post_id IS NULL
),
-- Posts that a membership plugin shows to members only: Restrict Content Pro (by post, term or post type), Ultimate Member (by post
-- or term), Members and Groups. `init` adds the tables of Paid Memberships Pro.
members_only (id) AS (
  SELECT m.post_id
  FROM wp_postmeta AS m
  WHERE (
      m.meta_key IN ('_is_paid', 'rcp_subscription_level', 'rcp_user_level', 'rcp_access_level')
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
    ON (p.post_type = 'product' AND o.option_value REGEXP '"product";a:[1-9]')
    OR (p.post_type = 'post' AND o.option_value REGEXP '"post";a:[1-9]')
  WHERE o.option_name = 'rcp_restricted_post_types'
),
-- Terms that hide a product, and variants that are out of stock. Stock hides only if the shop says so.
hiding_terms (term_taxonomy_id, slug) AS (
  SELECT x.term_taxonomy_id, t.slug
  FROM wp_term_taxonomy AS x
  JOIN wp_terms AS t ON t.term_id = x.term_id
  WHERE x.taxonomy = 'product_visibility'
    AND t.slug IN ('exclude-from-catalog', 'exclude-from-search', 'outofstock')
    AND (t.slug <> 'outofstock' OR EXISTS (
      SELECT 1 FROM wp_options AS o WHERE o.option_name = 'woocommerce_hide_out_of_stock_items' AND o.option_value = 'yes'
    ))
),
-- Why the shop's lists hide products. A list is made by the term of stock, and then leaves out what `_stock_status` says.
hiding (product_id, reason) AS (
  SELECT r.object_id, CASE h.slug
    WHEN 'exclude-from-catalog' THEN 'hidden from the catalog'
    WHEN 'exclude-from-search' THEN 'hidden from the search'
    ELSE 'out of stock'
  END
  FROM wp_term_relationships AS r
  JOIN hiding_terms AS h ON h.term_taxonomy_id = r.term_taxonomy_id
  UNION
  SELECT m.post_id, 'out of stock'
  FROM wp_options AS o
  JOIN wp_postmeta AS m ON m.meta_key = '_stock_status' AND m.meta_value = 'outofstock'
  -- Joined, because MariaDB would look for an earlier row of all products' status.
  LEFT JOIN wp_postmeta AS e ON e.post_id = m.post_id AND e.meta_key = '_stock_status' AND e.meta_id < m.meta_id
  WHERE o.option_name = 'woocommerce_hide_out_of_stock_items'
    AND o.option_value = 'yes'
    AND e.meta_id IS NULL
),
-- Products that the shop itself lists. `hidden` is the reason why one is not public: something is missing, a password, a
-- membership plugin, or it is hidden from the catalog or the search.
published_products (id, hidden, published_at, updated_at) AS (
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
      ELSE h.reasons
    END,
    d.published_at,
    d.updated_at
  FROM wp_posts AS p
  JOIN dated AS d ON d.id = p.ID
  LEFT JOIN in_other_languages AS o ON o.id = p.ID
  LEFT JOIN in_no_language AS n ON n.id = p.ID
  LEFT JOIN members_only AS m ON m.id = p.ID
  LEFT JOIN (
    SELECT g.product_id, GROUP_CONCAT(g.reason ORDER BY g.reason SEPARATOR ' and ') AS reasons FROM hiding AS g GROUP BY g.product_id
  ) AS h ON h.product_id = p.ID
  WHERE p.post_type = 'product'
    AND COALESCE(o.is_translation, 0) = 0
),
visible_products (id) AS (
  SELECT p.id FROM published_products AS p WHERE p.hidden IS NULL
),
-- The entered prices, and `active`, which the shop's code made of them. Of several rows with the same key WordPress reads the first.
first_details (meta_id) AS (
  SELECT MIN(m.meta_id)
  FROM wp_postmeta AS m
  WHERE m.meta_key IN ('_price', '_regular_price', '_sale_price', '_sale_price_dates_from', '_sale_price_dates_to')
  GROUP BY m.post_id, m.meta_key
),
details (product_id, active, regular, sale, sale_from, sale_until) AS (
  SELECT
    m.post_id,
    MAX(CASE WHEN m.meta_key = '_price' AND m.meta_value REGEXP '^[0-9]*[.]?[0-9]+$' THEN CAST(m.meta_value AS DECIMAL(20, 6)) END),
    MAX(CASE WHEN m.meta_key = '_regular_price' AND m.meta_value REGEXP '^[0-9]*[.]?[0-9]+$' THEN CAST(m.meta_value AS DECIMAL(20, 6)) END),
    MAX(CASE WHEN m.meta_key = '_sale_price' AND m.meta_value REGEXP '^[0-9]*[.]?[0-9]+$' THEN CAST(m.meta_value AS DECIMAL(20, 6)) END),
    MAX(CASE WHEN m.meta_key = '_sale_price_dates_from' THEN CAST(NULLIF(m.meta_value, '') AS SIGNED) END),
    MAX(CASE WHEN m.meta_key = '_sale_price_dates_to' THEN CAST(NULLIF(m.meta_value, '') AS SIGNED) END)
  FROM first_details AS f
  JOIN wp_postmeta AS m ON m.meta_id = f.meta_id
  GROUP BY m.post_id
),
-- The category of a product: Yoast's primary one, otherwise the one with the smallest id.
shelves (product_id, category_id) AS (
  SELECT r.object_id, COALESCE(MIN(CASE WHEN m.meta_value = x.term_id THEN x.term_id END), MIN(x.term_id))
  FROM wp_term_relationships AS r
  JOIN wp_term_taxonomy AS x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'product_cat'
  LEFT JOIN (
    -- DISTINCT keeps MariaDB from scanning all metadata of each product.
    SELECT DISTINCT f.post_id, f.meta_value
    FROM wp_postmeta AS f
    WHERE f.meta_key = '_yoast_wpseo_primary_product_cat'
      AND NOT EXISTS (SELECT 1 FROM wp_postmeta AS e WHERE e.post_id = f.post_id AND e.meta_key = f.meta_key AND e.meta_id < f.meta_id)
  ) AS m ON m.post_id = r.object_id
  GROUP BY r.object_id
),
kinds (product_id, kind) AS (
  SELECT r.object_id, MIN(t.slug)
  FROM wp_term_relationships AS r
  JOIN wp_term_taxonomy AS x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'product_type'
  JOIN wp_terms AS t ON t.term_id = x.term_id
  GROUP BY r.object_id
),
-- Variants that the shop shows.
variants (product_id, variant_id) AS (
  SELECT p.post_parent, p.ID
  FROM wp_posts AS p
  WHERE p.post_type = 'product_variation'
    AND p.post_status = 'publish'
    AND NOT EXISTS (
      SELECT 1
      FROM wp_term_relationships AS r
      JOIN hiding_terms AS h ON h.term_taxonomy_id = r.term_taxonomy_id AND h.slug = 'outofstock'
      WHERE r.object_id = p.ID
    )
),
-- Parts of grouped products, from a text serialised by PHP: a:2:{i:0;i:12;i:1;i:13;}. Keys, which an odd number of numbers follows, are removed.
grouped_parts (product_id, part_id) AS (
  SELECT g.product_id, p.ID
  FROM (
    -- DISTINCT keeps MariaDB from computing this text again for each product that it is compared with.
    SELECT DISTINCT
      m.post_id AS product_id,
      REGEXP_REPLACE(REGEXP_REPLACE(
        REPLACE(REGEXP_REPLACE(SUBSTRING(m.meta_value, LOCATE('{', m.meta_value) + 1), 's:[0-9]+:"', 'i:'), '";', ';'),
        'i:[0-9]+;(?=i:[0-9]+;(i:[0-9]+;i:[0-9]+;)*[}])', ''), '[^0-9]+', ',') AS part_ids
    FROM wp_postmeta AS m
    JOIN kinds AS k ON k.product_id = m.post_id AND k.kind = 'grouped'
    WHERE m.meta_key = '_children'
      AND NOT EXISTS (SELECT 1 FROM wp_postmeta AS e WHERE e.post_id = m.post_id AND e.meta_key = m.meta_key AND e.meta_id < m.meta_id)
  ) AS g
  JOIN wp_posts AS p ON FIND_IN_SET(p.ID, g.part_ids) > 0
  WHERE p.post_type = 'product'
    AND p.post_status = 'publish'
),
-- The prices that a product shows: its own, its variants', or those of its grouped parts. Visibility is only checked in
-- public_products, because MariaDB would compute it again for each use.
parts (product_id, part_id) AS (
  SELECT p.ID, COALESCE(w.variant_id, p.ID)
  FROM wp_posts AS p
  LEFT JOIN kinds AS k ON k.product_id = p.ID
  LEFT JOIN variants AS w ON w.product_id = p.ID AND k.kind = 'variable'
  WHERE p.post_type = 'product'
    AND p.post_status = 'publish'
    AND COALESCE(k.kind, 'simple') <> 'grouped'
    AND (w.variant_id IS NOT NULL OR COALESCE(k.kind, 'simple') <> 'variable')
  UNION ALL
  SELECT g.product_id, COALESCE(w.variant_id, g.part_id)
  FROM grouped_parts AS g
  LEFT JOIN kinds AS k ON k.product_id = g.part_id
  LEFT JOIN variants AS w ON w.product_id = g.part_id AND k.kind = 'variable'
  WHERE w.variant_id IS NOT NULL OR COALESCE(k.kind, 'simple') <> 'variable'
),
-- What each part costs. The shop shows `active`, whoever wrote it; its jobs move it when a sale begins or ends, and run late, those of
-- variants by up to a day. So where a moment has passed, this is the price that the job will write. No job begins a sale at 0.
currents (product_id, regular, current, on_sale) AS (
  SELECT
    s.product_id,
    s.regular,
    CASE
      WHEN s.active IS NULL THEN COALESCE(CASE WHEN s.on_sale THEN s.sale END, s.regular)
      WHEN s.on_sale AND s.sale > 0 AND s.active = s.regular AND s.has_start THEN s.sale
      WHEN s.has_ended AND s.active = s.sale THEN s.regular
      ELSE s.active
    END,
    s.on_sale
  FROM (
    SELECT
      d.product_id,
      d.active,
      d.regular,
      d.sale,
      d.sale_from IS NOT NULL AS has_start,
      COALESCE(d.sale_until <= UNIX_TIMESTAMP(@now), FALSE) AS has_ended,
      COALESCE(d.sale < d.regular, FALSE)
        AND (d.sale_from IS NULL OR d.sale_from <= UNIX_TIMESTAMP(@now))
        AND (d.sale_until IS NULL OR d.sale_until > UNIX_TIMESTAMP(@now)) AS on_sale
    FROM details AS d
  ) AS s
),
-- The regular and the current price of each part. Only during a sale does the shop show the regular one, too.
costs (part_id, regular, current) AS (
  SELECT c.product_id, CASE WHEN c.on_sale THEN GREATEST(c.regular, c.current) ELSE c.current END, c.current
  FROM currents AS c
  WHERE c.current IS NOT NULL
),
lowest (product_id, regular, current) AS (
  SELECT p.product_id, MIN(c.regular), MIN(c.current)
  FROM parts AS p
  JOIN costs AS c ON c.part_id = p.part_id
  GROUP BY p.product_id
),
-- Visible products with a price. Variable and grouped products have the lowest price of their parts.
public_products (id, category_id, kind, regular, current) AS (
  SELECT v.id, s.category_id, COALESCE(k.kind, 'simple'), l.regular, l.current
  FROM visible_products AS v
  JOIN lowest AS l ON l.product_id = v.id
  LEFT JOIN shelves AS s ON s.product_id = v.id
  LEFT JOIN kinds AS k ON k.product_id = v.id
),
-- Products whose reviews and stars the shop shows: enabled both for the product and for the shop.
reviewed_products (id) AS (
  SELECT p.id
  FROM public_products AS p
  JOIN wp_posts AS t ON t.ID = p.id AND t.comment_status = 'open'
  WHERE NOT EXISTS (
    SELECT 1
    FROM wp_options AS o
    WHERE o.option_name IN ('woocommerce_enable_reviews', 'woocommerce_enable_review_rating') AND o.option_value <> 'yes'
  )
),
-- Each category with itself and its ancestors; a cycle ends after ten steps.
ancestors (category_id, term_id, depth) AS (
  SELECT x.term_id, x.term_id, 0
  FROM wp_term_taxonomy AS x
  WHERE x.taxonomy = 'product_cat'
  UNION ALL
  SELECT a.category_id, x.parent, a.depth + 1
  FROM ancestors AS a
  JOIN wp_term_taxonomy AS x ON x.term_id = a.term_id AND x.taxonomy = 'product_cat'
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
  WHERE f.file IS NULL OR (f.file NOT LIKE 'woocommerce_uploads/%' AND f.file NOT LIKE '%..%')
),
-- A gallery is a text of ids, 12,13. Each row has the rest of the text from its next picture on, up to a thousand.
gallery_ids (product_id, place, rest) AS (
  SELECT m.post_id, 1, CONCAT(m.meta_value, ',')
  FROM wp_postmeta AS m
  WHERE m.meta_key = '_product_image_gallery'
    AND m.meta_value <> ''
    AND NOT EXISTS (SELECT 1 FROM wp_postmeta AS e WHERE e.post_id = m.post_id AND e.meta_key = m.meta_key AND e.meta_id < m.meta_id)
  UNION ALL
  SELECT g.product_id, g.place + 1, SUBSTRING(g.rest, LOCATE(',', g.rest) + 1)
  FROM gallery_ids AS g
  WHERE g.rest LIKE '%,_%' AND g.place < 1000
),
gallery_pictures (product_id, picture_id, place) AS (
  SELECT g.product_id, CAST(SUBSTRING_INDEX(g.rest, ',', 1) AS UNSIGNED), MIN(g.place)
  FROM gallery_ids AS g
  WHERE g.rest REGEXP '^[1-9][0-9]*,'
  GROUP BY g.product_id, CAST(SUBSTRING_INDEX(g.rest, ',', 1) AS UNSIGNED)
),
galleries (product_id, urls) AS (
  SELECT g.product_id, CONCAT('[', GROUP_CONCAT(JSON_QUOTE(i.url) ORDER BY g.place SEPARATOR ','), ']')
  FROM gallery_pictures AS g
  JOIN pictures AS i ON i.id = g.picture_id
  GROUP BY g.product_id
)
