-- What is public, written once: the other files name these as if they were tables.
WITH
-- Published, out, without a password, to be found in the shop and by its search, and with an address.
visible_products (id) AS (
  SELECT p.ID
  FROM wp_posts AS p
  WHERE p.post_type = 'product'
    AND p.post_status = 'publish'
    AND p.post_password = ''
    AND p.post_name <> ''
    AND p.post_title <> ''
    AND p.post_date_gmt > '1970-01-01 00:00:00'
    AND p.post_date_gmt <= @now
    AND NOT EXISTS (
      SELECT 1
      FROM wp_term_relationships AS r
      JOIN wp_term_taxonomy AS x ON x.term_taxonomy_id = r.term_taxonomy_id
      JOIN wp_terms AS t ON t.term_id = x.term_id
      WHERE r.object_id = p.ID
        AND x.taxonomy = 'product_visibility'
        AND t.slug IN ('exclude-from-catalog', 'exclude-from-search')
    )
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
-- Pictures of the media library; never what stands in the folder of download files.
pictures (id, url) AS (
  SELECT a.ID, CONCAT('/wp-content/uploads/', f.meta_value)
  FROM wp_posts AS a
  JOIN wp_postmeta AS f ON f.post_id = a.ID AND f.meta_key = '_wp_attached_file'
  WHERE a.post_type = 'attachment'
    AND a.post_status = 'inherit'
    AND a.post_mime_type LIKE 'image/%'
    AND f.meta_value NOT LIKE 'woocommerce_uploads/%'
    AND f.meta_value NOT LIKE '%..%'
)
