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
-- Where products and categories stand below the site, of one text that PHP wrote: …s:12:"product_base";s:5:"/shop";…
bases (product, category) AS (
  SELECT
    COALESCE(MAX(NULLIF(TRIM(BOTH '/' FROM SUBSTRING_INDEX(SUBSTRING_INDEX(
      REGEXP_SUBSTR(o.option_value, '"product_base";s:[0-9]+:"[^"]*"'), '"', -2), '"', 1)), '')), 'product'),
    COALESCE(MAX(NULLIF(TRIM(BOTH '/' FROM SUBSTRING_INDEX(SUBSTRING_INDEX(
      REGEXP_SUBSTR(o.option_value, '"category_base";s:[0-9]+:"[^"]*"'), '"', -2), '"', 1)), '')), 'product-category')
  FROM wp_options AS o
  WHERE o.option_name = 'woocommerce_permalinks'
),
-- What the shop's own API lists: published, out, and with an address. `hidden` says what keeps a product from being public:
-- a password, or that the catalog or the search has it not.
published_products (id, hidden) AS (
  SELECT
    p.ID,
    CASE WHEN p.post_password <> '' THEN 'protected by a password' ELSE (
      SELECT GROUP_CONCAT(CASE t.slug
        WHEN 'exclude-from-catalog' THEN 'hidden from the catalog'
        WHEN 'exclude-from-search' THEN 'hidden from the search'
        ELSE 'out of stock'
      END ORDER BY t.slug SEPARATOR ' and ')
      FROM wp_term_relationships AS r
      JOIN wp_term_taxonomy AS x ON x.term_taxonomy_id = r.term_taxonomy_id
      JOIN wp_terms AS t ON t.term_id = x.term_id
      WHERE r.object_id = p.ID
        AND x.taxonomy = 'product_visibility'
        -- With 'outofstock', too, where the shop hides what is out of stock.
        AND t.slug IN ('exclude-from-catalog', 'exclude-from-search')
    ) END
  FROM wp_posts AS p
  WHERE p.post_type = 'product'
    AND p.post_status = 'publish'
    AND p.post_name <> ''
    AND p.post_title <> ''
    AND p.post_date_gmt > '1970-01-01 00:00:00'
    AND p.post_date_gmt <= @now
),
visible_products (id) AS (
  SELECT p.id FROM published_products AS p WHERE p.hidden IS NULL
),
-- The category of a product: the one that Yoast marks, else the one with the smallest id.
shelves (product_id, category_id) AS (
  SELECT r.object_id, COALESCE(MIN(CASE WHEN m.meta_value = x.term_id THEN x.term_id END), MIN(x.term_id))
  FROM wp_term_relationships AS r
  JOIN wp_term_taxonomy AS x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'product_cat'
  LEFT JOIN wp_postmeta AS m ON m.post_id = r.object_id AND m.meta_key = '_yoast_wpseo_primary_product_cat'
  GROUP BY r.object_id
),
kinds (product_id, kind) AS (
  SELECT r.object_id, MIN(t.slug)
  FROM wp_term_relationships AS r
  JOIN wp_term_taxonomy AS x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'product_type'
  JOIN wp_terms AS t ON t.term_id = x.term_id
  GROUP BY r.object_id
),
-- What the editor entered, of the keys that may be read.
details (product_id, regular, sale, sale_from, sale_until, image_id, gallery_ids) AS (
  SELECT
    m.post_id,
    MAX(CASE WHEN m.meta_key = '_regular_price' THEN NULLIF(m.meta_value, '') END),
    MAX(CASE WHEN m.meta_key = '_sale_price' THEN NULLIF(m.meta_value, '') END),
    MAX(CASE WHEN m.meta_key = '_sale_price_dates_from' THEN CAST(NULLIF(m.meta_value, '') AS SIGNED) END),
    MAX(CASE WHEN m.meta_key = '_sale_price_dates_to' THEN CAST(NULLIF(m.meta_value, '') AS SIGNED) END),
    MAX(CASE WHEN m.meta_key = '_thumbnail_id' THEN m.meta_value END),
    MAX(CASE WHEN m.meta_key = '_product_image_gallery' THEN m.meta_value END)
  FROM wp_postmeta AS m
  WHERE m.meta_key IN ('_regular_price', '_sale_price', '_sale_price_dates_from', '_sale_price_dates_to', '_thumbnail_id',
    '_product_image_gallery')
  GROUP BY m.post_id
),
-- Those of them that have a price. Variable and grouped products: the lowest price of their parts.
public_products (id, category_id, kind, price) AS (
  SELECT
    v.id,
    s.category_id,
    COALESCE(k.kind, 'simple'),
    CASE WHEN k.kind IN ('variable', 'grouped') THEN CAST(l.min_price AS CHAR) ELSE d.regular END
  FROM visible_products AS v
  LEFT JOIN shelves AS s ON s.product_id = v.id
  LEFT JOIN kinds AS k ON k.product_id = v.id
  LEFT JOIN details AS d ON d.product_id = v.id
  LEFT JOIN wp_wc_product_meta_lookup AS l ON l.product_id = v.id
  WHERE CASE WHEN k.kind IN ('variable', 'grouped') THEN l.min_price IS NOT NULL ELSE d.regular IS NOT NULL END
),
-- Each category with itself and those that it stands below; what refers to itself ends after ten.
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
-- The lowest price of a product's variants before any sale.
variants (product_id, regular) AS (
  SELECT p.post_parent, MIN(CAST(d.regular AS DECIMAL(20, 6)))
  FROM wp_posts AS p
  JOIN details AS d ON d.product_id = p.ID
  WHERE p.post_type = 'product_variation' AND p.post_status = 'publish'
  GROUP BY p.post_parent
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
    AND f.meta_value NOT LIKE 'woocommerce_uploads/%'
    AND f.meta_value NOT LIKE '%..%'
)
