-- Prices are as entered. Visitors who are not logged in pay the lowest of: special price, price of their group, tier price for
-- one piece, and price of a catalog rule. Directives in texts, {{…}}, are removed.
SELECT
  x.id,
  x.title,
  x.slug_source,
  x.excerpt_html,
  x.excerpt_html AS description_short_html,
  x.description_html,
  x.category_id,
  x.type,
  'published' AS status,
  x.price,
  CASE WHEN x.sale_price < x.price THEN x.sale_price END AS sale_price,
  NULL AS preorder_price,
  NULL AS extended_price,
  x.currency,
  x.image,
  x.gallery,
  0 AS featured,
  x.public_url,
  '' AS demo_url,
  '' AS docs_url,
  x.created_at,
  x.updated_at
FROM (
  SELECT
    p.id AS id,
    (
      SELECT v.value
      FROM mage_catalog_product_entity_varchar AS v
      WHERE v.entity_id = p.id AND v.attribute_id = a.name AND v.store_id IN (0, s.store_id)
      ORDER BY v.store_id DESC
      LIMIT 1
    ) AS title,
    COALESCE((
      SELECT NULLIF(v.value, '')
      FROM mage_catalog_product_entity_varchar AS v
      WHERE v.entity_id = p.id AND v.attribute_id IN (a.url_key, a.name) AND v.store_id IN (0, s.store_id) AND v.value <> ''
      ORDER BY v.attribute_id = a.url_key DESC, v.store_id DESC
      LIMIT 1
    ), '') AS slug_source,
    COALESCE((
      SELECT REGEXP_REPLACE(v.value, '[{]{2}[^}]*[}]{2}', '')
      FROM mage_catalog_product_entity_text AS v
      WHERE v.entity_id = p.id AND v.attribute_id = a.short_description AND v.store_id IN (0, s.store_id)
      ORDER BY v.store_id DESC
      LIMIT 1
    ), '') AS excerpt_html,
    COALESCE((
      SELECT REGEXP_REPLACE(v.value, '[{]{2}[^}]*[}]{2}', '')
      FROM mage_catalog_product_entity_text AS v
      WHERE v.entity_id = p.id AND v.attribute_id = a.description AND v.store_id IN (0, s.store_id)
      ORDER BY v.store_id DESC
      LIMIT 1
    ), '') AS description_html,
    -- Without a category: the id of the one that categories.sql adds.
    CAST(COALESCE(p.category_id, 4294967296) AS SIGNED) AS category_id,
    p.type AS type,
    p.price AS price,
    NULLIF(LEAST(
      COALESCE((
        SELECT r.price
        FROM specials AS r
        CROSS JOIN clock AS n
        WHERE r.product_id = p.id AND (r.begins IS NULL OR r.begins <= n.earliest) AND (r.ends IS NULL OR r.ends > n.latest)
      ), 999999999),
      COALESCE((
        SELECT g.price FROM group_prices AS g WHERE g.product_id = p.id AND p.type NOT IN ('grouped', 'bundle')
      ), 999999999),
      COALESCE((
        SELECT CASE WHEN g.begins_with_visitors AND g.of_visitors < p.price THEN g.of_visitors
          ELSE LEAST(COALESCE(g.of_visitors, g.of_all), COALESCE(g.of_all, g.of_visitors)) END
        FROM tier_prices AS g
        WHERE g.product_id = p.id AND p.type NOT IN ('grouped', 'bundle')
      ), 999999999),
      COALESCE((
        -- Only if every day that it may be now has a price.
        SELECT CASE WHEN COUNT(DISTINCT g.rule_date) = MAX(DATEDIFF(n.latest, n.earliest)) + 1 THEN MAX(g.rule_price) END
        FROM mage_catalogrule_product_price AS g
        CROSS JOIN clock AS n
        WHERE g.product_id = p.id AND g.website_id = s.website_id AND g.customer_group_id = 0
          AND g.rule_date BETWEEN DATE(n.earliest) AND DATE(n.latest)
          AND p.type NOT IN ('grouped', 'bundle')
      ), 999999999)
    ), 999999999) AS sale_price,
    s.currency AS currency,
    COALESCE((
      SELECT CASE WHEN v.value LIKE '/%' THEN CONCAT(w.media, '/catalog/product', v.value) END
      FROM mage_catalog_product_entity_varchar AS v
      WHERE v.entity_id = p.id AND v.attribute_id = a.image AND v.store_id IN (0, s.store_id)
      ORDER BY v.store_id DESC
      LIMIT 1
    ), '') AS image,
    COALESCE((
      SELECT CONCAT('[', GROUP_CONCAT(JSON_QUOTE(CONCAT(w.media, '/catalog/product', m.value)) ORDER BY d.position, m.value_id SEPARATOR ','), ']')
      FROM mage_catalog_product_entity_media_gallery AS m
      JOIN mage_catalog_product_entity_media_gallery_value AS d ON d.value_id = m.value_id AND d.store_id = 0 AND d.disabled = 0
      WHERE m.entity_id = p.id AND m.attribute_id = a.media_gallery
        AND NOT EXISTS (
          SELECT 1
          FROM mage_catalog_product_entity_media_gallery_value AS o
          WHERE o.value_id = m.value_id AND o.store_id = s.store_id AND o.disabled = 1
        )
    ), '[]') AS gallery,
    CONCAT(w.front, COALESCE((
      SELECT MIN(u.request_path)
      FROM mage_core_url_rewrite AS u
      WHERE u.id_path = CONCAT('product/', p.id) AND u.store_id = s.store_id AND u.is_system = 1
    ), CONCAT('catalog/product/view/id/', p.id, '/'))) AS public_url,
    e.created_at AS created_at,
    COALESCE(e.updated_at, e.created_at) AS updated_at
  FROM public_products AS p
  JOIN mage_catalog_product_entity AS e ON e.entity_id = p.id
  CROSS JOIN settings AS s
  CROSS JOIN site AS w
  CROSS JOIN attributes AS a
) AS x
