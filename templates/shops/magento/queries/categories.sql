-- Public categories with a public product, and one for products without a category.
SELECT
  CAST(c.id AS SIGNED) AS id,
  (
    SELECT v.value
    FROM mage_catalog_category_entity_varchar AS v
    WHERE v.entity_id = c.id AND v.attribute_id = a.name AND v.store_id IN (0, s.store_id)
    ORDER BY v.store_id DESC
    LIMIT 1
  ) AS name,
  (
    SELECT v.value
    FROM mage_catalog_category_entity_varchar AS v
    WHERE v.entity_id = c.id AND v.attribute_id IN (a.url_key, a.name) AND v.store_id IN (0, s.store_id) AND v.value <> ''
    ORDER BY v.attribute_id = a.url_key DESC, v.store_id DESC
    LIMIT 1
  ) AS slug_source,
  COALESCE((
    SELECT REGEXP_REPLACE(v.value, '[{]{2}[^}]*[}]{2}', '')
    FROM mage_catalog_category_entity_text AS v
    WHERE v.entity_id = c.id AND v.attribute_id = a.description AND v.store_id IN (0, s.store_id)
    ORDER BY v.store_id DESC
    LIMIT 1
  ), '') AS description_html,
  CONCAT(w.front, COALESCE((
    SELECT MIN(u.request_path)
    FROM mage_core_url_rewrite AS u
    WHERE u.id_path = CONCAT('category/', c.id) AND u.store_id = s.store_id AND u.is_system = 1
  ), CONCAT('catalog/category/view/id/', c.id, '/'))) AS url
FROM public_categories AS c
CROSS JOIN settings AS s
CROSS JOIN site AS w
CROSS JOIN shelf_attributes AS a
WHERE c.id IN (SELECT p.category_id FROM public_products AS p)
UNION ALL
SELECT 4294967296, 'Uncategorised', 'uncategorised', '', ''
FROM settings AS s
WHERE EXISTS (SELECT 1 FROM public_products AS p WHERE p.category_id IS NULL)
