-- Conditions for what is public. The other files use these like tables.
WITH
-- The channel whose products are public: the active one that Saleor makes first, otherwise the one with the smallest id.
chosen_channel (slug) AS (
  SELECT c.slug
  FROM channel_channel AS c
  WHERE c.is_active
  ORDER BY c.slug = 'default-channel' DESC, c.id
  LIMIT 1
),
channel (id, currency) AS (
  SELECT c.id, c.currency_code
  FROM channel_channel AS c
  JOIN chosen_channel AS h ON h.slug = c.slug
),
-- Prices of the channel's variants. The shop makes a product's range of prices from these; the discounted price of the product's own
-- listing is stale until a task has run.
prices (product_id, price, discounted, is_preorder, preorder_ends_at) AS (
  SELECT
    v.product_id,
    l.price_amount,
    l.discounted_price_amount,
    v.is_preorder AND (v.preorder_end_date IS NULL OR v.preorder_end_date > current_setting('vitrine.now')::timestamptz),
    CASE WHEN v.is_preorder THEN v.preorder_end_date END
  FROM product_productvariant AS v
  JOIN product_productvariantchannellisting AS l ON l.variant_id = v.id AND l.price_amount IS NOT NULL
  JOIN channel AS c ON c.id = l.channel_id
),
-- The lowest prices, each of any variant. Only a migration leaves variants without a discounted price: they do not count then.
lowest (product_id, price, sale_price, is_preorder) AS (
  SELECT
    p.product_id,
    GREATEST(MIN(p.price), MIN(p.discounted)),
    CASE WHEN MIN(p.discounted) < MIN(p.price) THEN MIN(p.discounted) END,
    BOOL_AND(p.is_preorder)
  FROM prices AS p
  GROUP BY p.product_id
),
-- The shop's own list for visitors, now or later: published in the channel, listed, and with a variant that has a price in it.
listed_products (id, published_at, sold_from) AS (
  SELECT
    l.product_id,
    COALESCE(l.published_at, '-infinity'::timestamptz),
    l.available_for_purchase_at
  FROM product_productchannellisting AS l
  JOIN channel AS c ON c.id = l.channel_id
  JOIN lowest AS s ON s.product_id = l.product_id
  WHERE l.is_published AND l.visible_in_listings
),
-- Listed products with a category and a day from which they are sold. Saleor never publishes one without a category.
admitted_products (id, price, sale_price, published_at, sold_from, is_preorder) AS (
  SELECT
    p.id,
    s.price,
    s.sale_price,
    l.published_at,
    l.sold_from,
    s.is_preorder
  FROM listed_products AS l
  JOIN product_product AS p ON p.id = l.id
  JOIN lowest AS s ON s.product_id = p.id
  WHERE l.sold_from IS NOT NULL AND p.category_id IS NOT NULL
),
public_products (id, price, sale_price, sold_from, is_preorder) AS (
  SELECT a.id, a.price, a.sale_price, a.sold_from, a.is_preorder
  FROM admitted_products AS a
  WHERE a.published_at <= current_setting('vitrine.now')::timestamptz
),
-- Descriptions as HTML, from the blocks of the shop's editor, whose texts are HTML. Pictures and embedded pages are left out.
descriptions (kind, id, html) AS NOT MATERIALIZED (
  SELECT
    d.kind,
    d.id,
    STRING_AGG(
      CASE b.block ->> 'type'
        WHEN 'header' THEN CONCAT('<h', l.level, '>', b.block -> 'data' ->> 'text', '</h', l.level, '>')
        WHEN 'list' THEN (
          SELECT CONCAT('<', l.list, '>', STRING_AGG(
            CONCAT('<li>', CASE jsonb_typeof(i.item) WHEN 'string' THEN i.item #>> '{}' ELSE i.item ->> 'content' END, '</li>'), ''
            ORDER BY i.place), '</', l.list, '>')
          FROM jsonb_array_elements(
            CASE jsonb_typeof(b.block -> 'data' -> 'items') WHEN 'array' THEN b.block -> 'data' -> 'items' ELSE '[]' END
          ) WITH ORDINALITY AS i (item, place)
        )
        WHEN 'quote' THEN CONCAT('<blockquote>', b.block -> 'data' ->> 'text', '</blockquote>')
        ELSE CONCAT('<p>', b.block -> 'data' ->> 'text', '</p>')
      END,
      E'\n' ORDER BY b.place
    )
  FROM (
    SELECT 'product' AS kind, p.id, p.description FROM product_product AS p
    UNION ALL
    SELECT 'category', c.id, c.description FROM product_category AS c
  ) AS d
  CROSS JOIN LATERAL jsonb_array_elements(
    CASE jsonb_typeof(d.description -> 'blocks') WHEN 'array' THEN d.description -> 'blocks' ELSE '[]' END
  ) WITH ORDINALITY AS b (block, place)
  CROSS JOIN LATERAL (
    SELECT
      CASE WHEN b.block -> 'data' ->> 'level' IN ('1', '2', '3', '4', '5', '6') THEN b.block -> 'data' ->> 'level' ELSE '2' END AS level,
      CASE b.block -> 'data' ->> 'style' WHEN 'ordered' THEN 'ol' ELSE 'ul' END AS list
  ) AS l
  WHERE b.block -> 'data' ->> 'text' <> '' OR b.block ->> 'type' = 'list'
  GROUP BY d.kind, d.id
)
