-- Conditions for what is public. The other files use these like tables.
WITH RECURSIVE
-- The shop whose records are public: the default one.
chosen_shop (id) AS (
  SELECT h.id_shop
  FROM ps_shop AS h
  WHERE h.id_shop = (SELECT d.value FROM ps_configuration AS d WHERE d.name = 'PS_SHOP_DEFAULT' ORDER BY d.id_configuration LIMIT 1)
),
-- The settings of that shop, by name: keys and passwords are in the same table. The shop's own value has precedence over
-- that of its group, and that over the one for all shops.
options (name, value) AS (
  SELECT o.name, o.value
  FROM (
    SELECT
      c.name,
      c.value,
      ROW_NUMBER() OVER (
        PARTITION BY c.name
        ORDER BY COALESCE(c.id_shop, 0) DESC, COALESCE(c.id_shop_group, 0) DESC, c.id_configuration
      ) AS place
    FROM ps_configuration AS c
    JOIN (
      SELECT h.id_shop, h.id_shop_group FROM ps_shop AS h JOIN chosen_shop AS d ON d.id = h.id_shop
    ) AS h ON COALESCE(c.id_shop, 0) IN (0, h.id_shop) AND COALESCE(c.id_shop_group, 0) IN (0, h.id_shop_group)
    WHERE c.name IN ('PS_LANG_DEFAULT', 'PS_CURRENCY_DEFAULT', 'PS_UNIDENTIFIED_GROUP', 'PS_TIMEZONE',
      'PS_COUNTRY_DEFAULT', 'PS_TAX', 'PS_CATALOG_MODE', 'PS_CATALOG_MODE_WITH_PRICES', 'PS_SPECIFIC_PRICE_PRIORITIES',
      'PS_SPECIFIC_PRICE_FEATURE_ACTIVE', 'PS_COMBINATION_FEATURE_ACTIVE')
  ) AS o
  WHERE o.place = 1
),
-- The language of texts: the shop's default one.
chosen_language (id) AS (
  SELECT CAST(o.value AS SIGNED) FROM options AS o WHERE o.name = 'PS_LANG_DEFAULT'
),
settings (shop_id, language_id, currency_id, visitors, time_zone, country_id, taxes, hides_prices, priorities, discounts,
  combinations) AS (
  SELECT
    (SELECT c.id FROM chosen_shop AS c),
    (SELECT c.id FROM chosen_language AS c),
    CAST(MAX(CASE WHEN o.name = 'PS_CURRENCY_DEFAULT' THEN o.value END) AS SIGNED),
    CAST(MAX(CASE WHEN o.name = 'PS_UNIDENTIFIED_GROUP' THEN o.value END) AS SIGNED),
    MAX(CASE WHEN o.name = 'PS_TIMEZONE' THEN o.value END),
    CAST(MAX(CASE WHEN o.name = 'PS_COUNTRY_DEFAULT' THEN o.value END) AS SIGNED),
    COALESCE(MAX(CASE WHEN o.name = 'PS_TAX' THEN o.value END), '1') = '1',
    COALESCE(MAX(CASE WHEN o.name = 'PS_CATALOG_MODE' THEN o.value END), '0') NOT IN ('', '0')
      AND COALESCE(MAX(CASE WHEN o.name = 'PS_CATALOG_MODE_WITH_PRICES' THEN o.value END), '0') IN ('', '0'),
    COALESCE(MAX(CASE WHEN o.name = 'PS_SPECIFIC_PRICE_PRIORITIES' THEN NULLIF(o.value, '') END),
      'id_shop;id_currency;id_country;id_group'),
    COALESCE(MAX(CASE WHEN o.name = 'PS_SPECIFIC_PRICE_FEATURE_ACTIVE' THEN o.value END), '1') NOT IN ('', '0'),
    COALESCE(MAX(CASE WHEN o.name = 'PS_COMBINATION_FEATURE_ACTIVE' THEN o.value END), '1') NOT IN ('', '0')
  FROM options AS o
),
-- PrestaShop stores local time, and compares it with the minute that has begun. If the server does not know the shop's zone, a sale
-- begins when that time has come in every zone, and ends when it has come in the first.
clock (earliest, latest) AS (
  SELECT
    DATE_FORMAT(COALESCE(CONVERT_TZ(@now, '+00:00', s.time_zone), @now - INTERVAL 12 HOUR), '%Y-%m-%d %H:%i:00'),
    DATE_FORMAT(COALESCE(CONVERT_TZ(@now, '+00:00', s.time_zone), @now + INTERVAL 14 HOUR), '%Y-%m-%d %H:%i:00')
  FROM settings AS s
),
-- Categories that are disabled or not open to the visitors' group, and all below them. Found by their parents: `nleft` and `nright`
-- are wrong until an import from a table has ended, and remain so if it breaks off.
closed_categories (id) AS (
  SELECT c.id_category
  FROM ps_category AS c
  CROSS JOIN settings AS s
  LEFT JOIN ps_category_group AS g ON g.id_category = c.id_category AND g.id_group = s.visitors
  WHERE c.id_parent <> 0 AND (c.active = 0 OR g.id_group IS NULL)
  UNION
  SELECT c.id_category
  FROM closed_categories AS p
  JOIN ps_category AS c ON c.id_parent = p.id
),
-- Categories for visitors: open with all their ancestors, in this shop, with a name in its language. DISTINCT keeps MariaDB from
-- computing this again for each product.
public_categories (id) AS (
  SELECT DISTINCT c.id_category
  FROM ps_category AS c
  CROSS JOIN settings AS s
  JOIN ps_category_shop AS h ON h.id_category = c.id_category AND h.id_shop = s.shop_id
  JOIN ps_category_lang AS l ON l.id_category = c.id_category AND l.id_lang = s.language_id AND l.id_shop = s.shop_id AND l.name <> ''
  WHERE c.is_root_category = 0
    AND c.id_parent <> 0
    AND c.id_category NOT IN (SELECT k.id FROM closed_categories AS k)
),
-- The category of a product: its default one if that is public, otherwise the public one with the smallest id.
shelves (product_id, category_id) AS (
  SELECT p.id_product, COALESCE(MIN(CASE WHEN p.id_category = d.id_category_default THEN p.id_category END), MIN(p.id_category))
  FROM ps_category_product AS p
  JOIN public_categories AS c ON c.id = p.id_category
  CROSS JOIN settings AS s
  JOIN ps_product_shop AS d ON d.id_product = p.id_product AND d.id_shop = s.shop_id
  GROUP BY p.id_product
),
-- The factor from a price without tax to one with tax, in the shop's country. The first rule of a group decides how several
-- taxes combine: only the first, their sum (1), or one after the other (2).
taxes (group_id, factor) AS (
  SELECT
    t.group_id,
    CASE MAX(CASE WHEN t.place = 1 THEN t.behavior END)
      WHEN 1 THEN 1 + SUM(t.rate) / 100
      WHEN 2 THEN EXP(SUM(LN(1 + t.rate / 100)))
      ELSE 1 + MAX(CASE WHEN t.place = 1 THEN t.rate END) / 100
    END
  FROM (
    SELECT
      r.id_tax_rules_group AS group_id,
      r.behavior,
      x.rate,
      ROW_NUMBER() OVER (PARTITION BY r.id_tax_rules_group ORDER BY r.id_tax_rule) AS place
    FROM ps_tax_rule AS r
    JOIN settings AS s ON s.country_id = r.id_country AND s.taxes
    JOIN ps_tax_rules_group AS g ON g.id_tax_rules_group = r.id_tax_rules_group AND g.active = 1
    JOIN ps_tax AS x ON x.id_tax = r.id_tax
    WHERE r.id_state = 0 AND r.zipcode_from IN ('', '0')
  ) AS t
  GROUP BY t.group_id
),
-- The parts of a product's price: its base price, the price impact of the default combination, the ecotax, the tax, and the share
-- that is left after the visitors' group discount. DISTINCT keeps MariaDB from merging this into other queries, whose join order
-- would then take minutes to plan.
costs (product_id, base, combination_id, impact, ecotax, tax, kept) AS (
  SELECT DISTINCT
    h.id_product,
    h.price,
    COALESCE(c.id_product_attribute, 0),
    COALESCE(c.price, 0),
    COALESCE(NULLIF(c.ecotax, 0), h.ecotax),
    COALESCE(t.factor, 1),
    1 - COALESCE(d.reduction, g.reduction / 100)
  FROM ps_product_shop AS h
  JOIN settings AS s ON s.shop_id = h.id_shop
  JOIN ps_group AS g ON g.id_group = s.visitors
  LEFT JOIN ps_product_attribute_shop AS c ON s.combinations AND c.id_shop = h.id_shop AND c.id_product_attribute = (
    SELECT a.id_product_attribute
    FROM ps_product_attribute_shop AS a
    WHERE a.id_product = h.id_product AND a.id_shop = h.id_shop
    ORDER BY COALESCE(a.default_on, 0) DESC, a.id_product_attribute = h.cache_default_attribute DESC, a.id_product_attribute
    LIMIT 1
  )
  LEFT JOIN taxes AS t ON t.group_id = h.id_tax_rules_group
  LEFT JOIN ps_product_group_reduction_cache AS d ON d.id_product = h.id_product AND d.id_group = s.visitors
),
-- Products that the shop shows: active, visible somewhere, not a draft. Prices are shown unless the visitors' group or the
-- catalog mode hides them. `hidden` says where a product is not visible.
published_products (id, price, shows_price, hidden) AS (
  SELECT
    h.id_product,
    GREATEST(0, (k.base + k.impact + k.ecotax) * k.kept),
    (h.available_for_order = 1 OR h.show_price = 1) AND g.show_prices = 1 AND NOT s.hides_prices,
    CASE h.visibility WHEN 'catalog' THEN 'hidden from the search' WHEN 'search' THEN 'hidden from the catalog' END
  FROM ps_product_shop AS h
  CROSS JOIN settings AS s
  JOIN ps_product AS p ON p.id_product = h.id_product
  JOIN ps_group AS g ON g.id_group = s.visitors
  JOIN costs AS k ON k.product_id = h.id_product
  WHERE h.id_shop = s.shop_id AND h.active = 1 AND h.visibility IN ('both', 'catalog', 'search') AND p.state = 1
),
-- Published products that show a price, and are in a public category or in none below the shop's root.
public_products (id, category_id, price) AS (
  SELECT p.id, c.category_id, p.price
  FROM published_products AS p
  LEFT JOIN shelves AS c ON c.product_id = p.id
  WHERE p.shows_price
    AND p.hidden IS NULL
    AND (c.category_id IS NOT NULL OR NOT EXISTS (
      SELECT 1
      FROM ps_category_product AS r
      JOIN ps_category AS k ON k.id_category = r.id_category AND k.is_root_category = 0 AND k.id_parent <> 0
      WHERE r.id_product = p.id
    ))
),
-- Specific prices for everybody who buys one piece: not for one customer, another group, another country or a cart. Visitors are
-- taken to be in the shop's own country.
offers (id, product_id, rule_id, shop_id, currency_id, country_id, group_id, combination_id, price, from_quantity, reduction, with_tax, is_share,
  begins, ends) AS (
  SELECT
    r.id_specific_price,
    r.id_product,
    r.id_specific_price_rule,
    r.id_shop,
    r.id_currency,
    r.id_country,
    r.id_group,
    r.id_product_attribute,
    r.price,
    r.from_quantity,
    r.reduction,
    r.reduction_tax = 1,
    r.reduction_type = 'percentage',
    r.`from`,
    r.`to`
  FROM ps_specific_price AS r
  JOIN settings AS s ON s.discounts
  WHERE r.id_customer = 0
    AND r.id_cart = 0
    AND r.id_country IN (0, s.country_id)
    AND r.id_group IN (0, s.visitors)
    AND r.id_shop IN (0, s.shop_id)
    AND r.id_shop_group = 0
    AND r.id_currency IN (0, s.currency_id)
    AND r.from_quantity <= 1
),
-- Products with their own offers, and with those for all products. Costs and public products are not joined here, because
-- MariaDB would compute them once more.
candidates (product_id, offer_id) AS (
  SELECT o.product_id, o.id FROM offers AS o WHERE o.product_id <> 0
  UNION ALL
  SELECT h.id_product, o.id
  FROM offers AS o
  CROSS JOIN settings AS s
  JOIN ps_product_shop AS h ON h.id_shop = s.shop_id
  WHERE o.product_id = 0
),
-- The product's price with each offer. An offer's own price replaces the base price, and if it is for one combination also the
-- impact: that is the regular price while it runs, and only a reduction makes a sale. `score` is PrestaShop's: whether an offer is for
-- a shop, currency, country or group, weighted in the order of the product's priorities, or of the shop's.
sales (product_id, offer_id, regular, price, begins, ends, combination_id, from_quantity, rule_id, score) AS (
  SELECT
    x.product_id,
    x.offer_id,
    GREATEST(0, x.price * x.kept),
    GREATEST(0, (
      x.price - CASE WHEN x.is_share THEN x.price * x.reduction WHEN x.with_tax THEN x.reduction / x.tax ELSE x.reduction END
    ) * x.kept),
    x.begins,
    x.ends,
    x.combination_id,
    x.from_quantity,
    x.rule_id,
    CASE WHEN x.shop_id <> 0 AND FIND_IN_SET('id_shop', x.priorities) > 0 THEN 256 >> FIND_IN_SET('id_shop', x.priorities) ELSE 0 END
      + CASE WHEN x.currency_id <> 0 AND FIND_IN_SET('id_currency', x.priorities) > 0
        THEN 256 >> FIND_IN_SET('id_currency', x.priorities) ELSE 0 END
      + CASE WHEN x.country_id <> 0 AND FIND_IN_SET('id_country', x.priorities) > 0
        THEN 256 >> FIND_IN_SET('id_country', x.priorities) ELSE 0 END
      + CASE WHEN x.group_id <> 0 AND FIND_IN_SET('id_group', x.priorities) > 0 THEN 256 >> FIND_IN_SET('id_group', x.priorities) ELSE 0 END
  FROM (
    SELECT
      k.product_id,
      o.id AS offer_id,
      CASE WHEN o.price >= 0 THEN o.price ELSE k.base END
        + CASE WHEN o.price >= 0 AND o.combination_id <> 0 THEN 0 ELSE k.impact END
        + k.ecotax AS price,
      k.tax,
      k.kept,
      o.reduction,
      o.with_tax,
      o.is_share,
      o.begins,
      o.ends,
      o.combination_id,
      o.from_quantity,
      o.rule_id,
      o.shop_id,
      o.currency_id,
      o.country_id,
      o.group_id,
      REPLACE(COALESCE((
        SELECT q.priority
        FROM ps_specific_price_priority AS q
        WHERE q.id_product = k.product_id AND q.priority <> ''
        ORDER BY q.id_specific_price_priority DESC
        LIMIT 1
      ), s.priorities), ';', ',') AS priorities
    FROM candidates AS c
    JOIN offers AS o ON o.id = c.offer_id
    JOIN costs AS k ON k.product_id = c.product_id AND o.combination_id IN (0, k.combination_id)
    CROSS JOIN settings AS s
  ) AS x
),
-- The running offer that PrestaShop applies. A missing date sorts before all others.
running_sales (product_id, regular, price) AS (
  SELECT f.product_id, f.regular, f.price
  FROM (
    SELECT
      s.product_id,
      s.regular,
      s.price,
      ROW_NUMBER() OVER (
        PARTITION BY s.product_id
        ORDER BY s.combination_id DESC, s.from_quantity DESC, s.rule_id, s.score DESC, s.ends DESC, s.begins DESC, s.offer_id
      ) AS place
    FROM sales AS s
    CROSS JOIN clock AS c
    WHERE s.begins <= c.earliest AND (s.ends < '1970-01-01 00:00:00' OR s.ends >= c.latest)
  ) AS f
  WHERE f.place = 1
)
