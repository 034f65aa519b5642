-- Conditions for what is public. The other files use these like tables.
WITH RECURSIVE
-- The store whose records are public: the default one of the default website.
chosen_store (id) AS (
  SELECT g.default_store_id
  FROM mage_core_website AS w
  JOIN mage_core_store_group AS g ON g.group_id = w.default_group_id
  WHERE w.is_default = 1
),
-- A setting is the store's own, otherwise the website's, otherwise the default; they
-- are read by name, because passwords are in the same table.
settings (store_id, website_id, root_id, store_name, base_url, media_url, rewrites, currency, time_zone, shows_sold_out, map, map_of_all,
  map_display, price_scope) AS (
  SELECT
    t.store_id,
    t.website_id,
    MAX(g.root_category_id),
    COALESCE(
      SUBSTRING_INDEX(GROUP_CONCAT(CASE WHEN c.path = 'general/store_information/name' THEN NULLIF(c.value, '') END
        ORDER BY FIELD(c.scope, 'stores', 'websites', 'default') SEPARATOR '\n'), '\n', 1),
      MAX(w.name)
    ),
    SUBSTRING_INDEX(GROUP_CONCAT(CASE WHEN c.path = 'web/unsecure/base_url' AND c.value LIKE 'http%' THEN TRIM(TRAILING '/' FROM c.value) END
      ORDER BY FIELD(c.scope, 'stores', 'websites', 'default') SEPARATOR '\n'), '\n', 1),
    SUBSTRING_INDEX(GROUP_CONCAT(CASE WHEN c.path = 'web/unsecure/base_media_url' AND c.value LIKE 'http%' THEN TRIM(TRAILING '/' FROM c.value) END
      ORDER BY FIELD(c.scope, 'stores', 'websites', 'default') SEPARATOR '\n'), '\n', 1),
    SUBSTRING_INDEX(GROUP_CONCAT(CASE WHEN c.path = 'web/seo/use_rewrites' THEN c.value END
      ORDER BY FIELD(c.scope, 'stores', 'websites', 'default') SEPARATOR '\n'), '\n', 1),
    SUBSTRING_INDEX(GROUP_CONCAT(CASE WHEN c.path = 'currency/options/base' THEN c.value END
      ORDER BY FIELD(c.scope, 'stores', 'websites', 'default') SEPARATOR '\n'), '\n', 1),
    SUBSTRING_INDEX(GROUP_CONCAT(CASE WHEN c.path = 'general/locale/timezone' THEN c.value END
      ORDER BY FIELD(c.scope, 'stores', 'websites', 'default') SEPARATOR '\n'), '\n', 1),
    SUBSTRING_INDEX(GROUP_CONCAT(CASE WHEN c.path = 'cataloginventory/options/show_out_of_stock' THEN c.value END
      ORDER BY FIELD(c.scope, 'stores', 'websites', 'default') SEPARATOR '\n'), '\n', 1),
    SUBSTRING_INDEX(GROUP_CONCAT(CASE WHEN c.path = 'sales/msrp/enabled' THEN c.value END
      ORDER BY FIELD(c.scope, 'stores', 'websites', 'default') SEPARATOR '\n'), '\n', 1),
    SUBSTRING_INDEX(GROUP_CONCAT(CASE WHEN c.path = 'sales/msrp/apply_for_all' THEN c.value END
      ORDER BY FIELD(c.scope, 'stores', 'websites', 'default') SEPARATOR '\n'), '\n', 1),
    SUBSTRING_INDEX(GROUP_CONCAT(CASE WHEN c.path = 'sales/msrp/display_price_type' THEN c.value END
      ORDER BY FIELD(c.scope, 'stores', 'websites', 'default') SEPARATOR '\n'), '\n', 1),
    SUBSTRING_INDEX(GROUP_CONCAT(CASE WHEN c.path = 'catalog/price/scope' THEN c.value END
      ORDER BY FIELD(c.scope, 'stores', 'websites', 'default') SEPARATOR '\n'), '\n', 1)
  FROM chosen_store AS d
  JOIN mage_core_store AS t ON t.store_id = d.id AND t.is_active = 1
  JOIN mage_core_website AS w ON w.website_id = t.website_id
  JOIN mage_core_store_group AS g ON g.group_id = t.group_id
  JOIN mage_core_config_data AS c
    ON c.path IN ('general/store_information/name', 'web/unsecure/base_url', 'web/unsecure/base_media_url', 'web/seo/use_rewrites',
      'currency/options/base', 'general/locale/timezone', 'cataloginventory/options/show_out_of_stock', 'sales/msrp/enabled',
      'sales/msrp/apply_for_all', 'sales/msrp/display_price_type', 'catalog/price/scope')
    AND ((c.scope = 'default' AND c.scope_id = 0) OR (c.scope = 'websites' AND c.scope_id = w.website_id)
      OR (c.scope = 'stores' AND c.scope_id = t.store_id))
  GROUP BY t.store_id, t.website_id
),
-- Addresses of pages and pictures.
site (path, front, media) AS (
  SELECT
    REGEXP_REPLACE(COALESCE(s.base_url, ''), '^[a-z]+://[^/]*', ''),
    CONCAT(REGEXP_REPLACE(COALESCE(s.base_url, ''), '^[a-z]+://[^/]*', ''), CASE WHEN s.rewrites = '1' THEN '/' ELSE '/index.php/' END),
    COALESCE(s.media_url, CONCAT(REGEXP_REPLACE(COALESCE(s.base_url, ''), '^[a-z]+://[^/]*', ''), '/media'))
  FROM settings AS s
),
-- Magento stores days in the store's time zone. If the server does not know the zone, a sale begins when that time has come in
-- every zone, and ends when it has come in the first.
clock (earliest, latest) AS (
  SELECT
    COALESCE(CONVERT_TZ(@now, '+00:00', s.time_zone), @now - INTERVAL 12 HOUR),
    COALESCE(CONVERT_TZ(@now, '+00:00', s.time_zone), @now + INTERVAL 14 HOUR)
  FROM settings AS s
),
-- Ids of the attributes that are read, by name.
attributes (name, description, short_description, url_key, image, media_gallery, status, visibility, price, special_price,
  special_from, special_to, map, map_display) AS (
  SELECT
    MAX(CASE WHEN a.attribute_code = 'name' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'description' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'short_description' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'url_key' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'image' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'media_gallery' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'status' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'visibility' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'price' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'special_price' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'special_from_date' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'special_to_date' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'msrp_enabled' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'msrp_display_actual_price_type' THEN a.attribute_id END)
  FROM mage_eav_attribute AS a
  JOIN mage_eav_entity_type AS y ON y.entity_type_id = a.entity_type_id AND y.entity_type_code = 'catalog_product'
),
shelf_attributes (name, description, url_key, is_active) AS (
  SELECT
    MAX(CASE WHEN a.attribute_code = 'name' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'description' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'url_key' THEN a.attribute_id END),
    MAX(CASE WHEN a.attribute_code = 'is_active' THEN a.attribute_id END)
  FROM mage_eav_attribute AS a
  JOIN mage_eav_entity_type AS y ON y.entity_type_id = a.entity_type_id AND y.entity_type_code = 'catalog_category'
),
-- Categories below the store's root that are enabled, with all their ancestors.
public_categories (id, level) AS (
  SELECT s.root_id, 1
  FROM settings AS s
  UNION ALL
  SELECT c.entity_id, c.level
  FROM public_categories AS p
  JOIN mage_catalog_category_entity AS c ON c.parent_id = p.id
  CROSS JOIN settings AS s
  CROSS JOIN shelf_attributes AS a
  WHERE (
    SELECT v.value
    FROM mage_catalog_category_entity_int AS v
    WHERE v.entity_id = c.entity_id AND v.attribute_id = a.is_active AND v.store_id IN (0, s.store_id)
    ORDER BY v.store_id DESC
    LIMIT 1
  ) = 1
),
-- Products that the shop's own API lists: enabled, visible somewhere, in the website, and in stock if the shop hides others.
-- A grouped product or bundle has the price of the shop's price index.
published_products (id, type, visibility, price) AS (
  SELECT
    e.entity_id,
    e.type_id,
    (
      SELECT v.value
      FROM mage_catalog_product_entity_int AS v
      WHERE v.entity_id = e.entity_id AND v.attribute_id = a.visibility AND v.store_id IN (0, s.store_id)
      ORDER BY v.store_id DESC
      LIMIT 1
    ),
    CASE WHEN e.type_id IN ('grouped', 'bundle') THEN (
      SELECT i.min_price
      FROM mage_catalog_product_index_price AS i
      WHERE i.entity_id = e.entity_id AND i.customer_group_id = 0 AND i.website_id = s.website_id
    ) ELSE (
      SELECT v.value
      FROM mage_catalog_product_entity_decimal AS v
      WHERE v.entity_id = e.entity_id AND v.attribute_id = a.price AND v.store_id IN (0, s.store_id)
      ORDER BY v.store_id DESC
      LIMIT 1
    ) END
  FROM mage_catalog_product_entity AS e
  CROSS JOIN settings AS s
  CROSS JOIN attributes AS a
  JOIN mage_catalog_product_website AS w ON w.product_id = e.entity_id AND w.website_id = s.website_id
  WHERE (
    SELECT v.value
    FROM mage_catalog_product_entity_int AS v
    WHERE v.entity_id = e.entity_id AND v.attribute_id = a.status AND v.store_id IN (0, s.store_id)
    ORDER BY v.store_id DESC
    LIMIT 1
  ) = 1
    AND (s.shows_sold_out = '1' OR EXISTS (
      SELECT 1
      FROM mage_cataloginventory_stock_status AS k
      WHERE k.product_id = e.entity_id AND k.website_id = s.website_id AND k.stock_status = 1
    ))
),
visible_products (id, type, visibility, price) AS (
  SELECT p.id, p.type, p.visibility, p.price
  FROM published_products AS p
  WHERE p.visibility IN (2, 3, 4)
),
-- Each product's deepest public category. The store's root does not count.
shelves (product_id, category_id, is_shelved) AS (
  SELECT
    e.entity_id,
    (
      SELECT r.category_id
      FROM mage_catalog_category_product AS r
      JOIN public_categories AS c ON c.id = r.category_id AND c.level > 1
      WHERE r.product_id = e.entity_id
      ORDER BY c.level DESC, r.category_id
      LIMIT 1
    ),
    EXISTS (
      SELECT 1
      FROM mage_catalog_category_product AS r
      JOIN mage_catalog_category_entity AS c ON c.entity_id = r.category_id AND c.level > 1
      CROSS JOIN settings AS s
      WHERE r.product_id = e.entity_id AND c.path LIKE CONCAT('1/', s.root_id, '/%')
    )
  FROM mage_catalog_product_entity AS e
),
-- Products with a minimum advertised price whose real price shows only in the cart or the order: all except those that show it
-- on a click (1). In the product, 2 and 4 mean the shop's setting.
hidden_prices (product_id) AS (
  SELECT DISTINCT e.entity_id
  FROM mage_catalog_product_entity AS e
  JOIN settings AS s ON s.map = '1'
  CROSS JOIN attributes AS a
  JOIN mage_catalog_eav_attribute AS t
    ON t.attribute_id = a.map AND (COALESCE(t.apply_to, '') = '' OR FIND_IN_SET(e.type_id, t.apply_to) > 0)
  WHERE CASE COALESCE((
      SELECT NULLIF(v.value, '')
      FROM mage_catalog_product_entity_varchar AS v
      WHERE v.entity_id = e.entity_id AND v.attribute_id = a.map AND v.store_id IN (0, s.store_id)
      ORDER BY v.store_id DESC
      LIMIT 1
    ), '2') WHEN '2' THEN s.map_of_all WHEN '0' THEN '0' ELSE '1' END = '1'
    AND CASE COALESCE((
      SELECT v.value
      FROM mage_catalog_product_entity_varchar AS v
      WHERE v.entity_id = e.entity_id AND v.attribute_id = a.map_display AND v.store_id IN (0, s.store_id)
      ORDER BY v.store_id DESC
      LIMIT 1
    ), '') WHEN '1' THEN '1' WHEN '4' THEN COALESCE(s.map_display, '1') ELSE 'hidden' END <> '1'
),
-- Also products that contain one of them.
products_with_hidden_prices (product_id) AS (
  SELECT h.product_id FROM hidden_prices AS h
  UNION
  SELECT r.parent_id FROM hidden_prices AS h JOIN mage_catalog_product_relation AS r ON r.child_id = h.product_id
),
-- Visible products whose price is shown, that are both in the catalog and in the search, and in a public category or in none.
public_products (id, type, category_id, price) AS (
  SELECT p.id, p.type, h.category_id, p.price
  FROM visible_products AS p
  JOIN shelves AS h ON h.product_id = p.id
  WHERE p.visibility = 4
    AND p.price IS NOT NULL
    AND p.id NOT IN (SELECT m.product_id FROM products_with_hidden_prices AS m)
    AND (h.category_id IS NOT NULL OR NOT h.is_shelved)
),
-- Special prices with their days, the store's own or the default.
specials (product_id, price, begins, ends) AS (
  SELECT
    p.id,
    (
      SELECT v.value
      FROM mage_catalog_product_entity_decimal AS v
      WHERE v.entity_id = p.id AND v.attribute_id = a.special_price AND v.store_id IN (0, s.store_id)
      ORDER BY v.store_id DESC
      LIMIT 1
    ),
    (
      SELECT v.value
      FROM mage_catalog_product_entity_datetime AS v
      WHERE v.entity_id = p.id AND v.attribute_id = a.special_from AND v.store_id IN (0, s.store_id)
      ORDER BY v.store_id DESC
      LIMIT 1
    ),
    (
      SELECT v.value + INTERVAL 1 DAY
      FROM mage_catalog_product_entity_datetime AS v
      WHERE v.entity_id = p.id AND v.attribute_id = a.special_to AND v.store_id IN (0, s.store_id)
      ORDER BY v.store_id DESC
      LIMIT 1
    )
  FROM public_products AS p
  CROSS JOIN settings AS s
  CROSS JOIN attributes AS a
  WHERE p.type NOT IN ('grouped', 'bundle')
),
-- Prices of the group of visitors. The website's own has precedence, and counts if prices have the scope of websites (1).
group_prices (product_id, price) AS (
  SELECT f.entity_id, f.value
  FROM (
    SELECT g.entity_id, g.value, ROW_NUMBER() OVER (PARTITION BY g.entity_id ORDER BY g.website_id DESC) AS place
    FROM mage_catalog_product_entity_group_price AS g
    CROSS JOIN settings AS s
    WHERE g.all_groups = 0 AND g.customer_group_id = 0 AND (g.website_id = 0 OR (s.price_scope = '1' AND g.website_id = s.website_id))
  ) AS f
  WHERE f.place = 1
),
-- Tier prices of one piece: of the group of visitors, and of all groups. Magento takes the lower one, except that it passes over
-- the one of all groups after it has taken one of the group that comes first.
tier_prices (product_id, of_visitors, of_all, begins_with_visitors) AS (
  SELECT
    f.entity_id,
    MAX(CASE WHEN f.all_groups = 0 THEN f.value END),
    MAX(CASE WHEN f.all_groups = 1 THEN f.value END),
    MAX(CASE WHEN f.all_groups = 0 THEN f.first_id END) < MAX(CASE WHEN f.all_groups = 1 THEN f.first_id END)
  FROM (
    SELECT
      g.entity_id,
      g.all_groups,
      g.value,
      MIN(g.value_id) OVER (PARTITION BY g.entity_id, g.all_groups) AS first_id,
      ROW_NUMBER() OVER (PARTITION BY g.entity_id, g.all_groups ORDER BY g.website_id DESC) AS place
    FROM mage_catalog_product_entity_tier_price AS g
    CROSS JOIN settings AS s
    WHERE g.qty = 1
      AND (g.all_groups = 1 OR g.customer_group_id = 0)
      AND (g.website_id = 0 OR (s.price_scope = '1' AND g.website_id = s.website_id))
  ) AS f
  WHERE f.place = 1
  GROUP BY f.entity_id
)
