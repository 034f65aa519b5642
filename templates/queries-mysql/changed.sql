-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of digests of rows: a count or a sum of values stays the same if two rows exchange them. CRC32 twice, because it is linear:
-- sums of one alone miss some exchanges. All rows, not the latest time: one in the future, or of a transaction that commits late,
-- would hide the others.
-- Only the hourly reading of all rows notices edited texts of reviews, releases and forum posts, and changed names of people.
SELECT
  p.*, c.*, w.*, o.*, t.*, m.*, r.*, v.*, f.*, b.*, h.*, n.*,
  (
    SELECT JSON_ARRAY(
      s.name, s.tagline, s.description, s.logo_url, s.favicon_url, s.currency, s.url, s.support_url, s.docs_url,
      s.blog_url
    )
    FROM store_settings AS s WHERE s.id = 1
  ) AS settings,
  (
    SELECT GROUP_CONCAT(JSON_ARRAY(l.network, l.url, l.position, l.is_enabled) ORDER BY l.id)
    FROM social_links AS l
  ) AS links,
  (
    SELECT GROUP_CONCAT(JSON_ARRAY(s.parent_id, s.slug, s.name, s.description, s.is_visible) ORDER BY s.id)
    FROM categories AS s
  ) AS shelves,
  (
    SELECT GROUP_CONCAT(JSON_ARRAY(s.slug, s.name, s.access_level, s.is_hidden) ORDER BY s.id)
    FROM subforums AS s
  ) AS rooms,
  (SELECT GROUP_CONCAT(JSON_ARRAY(s.slug, s.name, s.is_hidden) ORDER BY s.id) FROM forum_categories AS s) AS topics
FROM (
  -- Orders write to this table, too, but not to the columns used here.
  SELECT
    COUNT(*) AS goods,
    SUM(CRC32(CRC32(CONCAT_WS('|', p.id, p.updated_at, COALESCE(p.regular_price_minor, -1), p.featured,
      p.status = 'published' AND p.visibility = 'visible' AND p.deleted_at IS NULL)))) AS goods_rows
  FROM products AS p
) AS p
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(CRC32(CRC32(CONCAT_WS('|', c.product_id, c.category_id, c.is_primary)))) AS places_rows
  FROM product_categories AS c
) AS c
CROSS JOIN (
  SELECT
    COUNT(*) AS sales,
    SUM(CRC32(CRC32(CONCAT_WS('|', w.id, COALESCE(w.sale_price_minor, -1), COALESCE(w.percent, -1), w.is_active, w.starts_at,
      COALESCE(w.ends_at, 0))))) AS sales_rows
  FROM sale_windows AS w
) AS w
CROSS JOIN (
  SELECT
    COUNT(*) AS offers,
    SUM(CRC32(CRC32(CONCAT_WS('|', o.id, COALESCE(o.price_minor, -1), o.state = 'open')))) AS offers_rows
  FROM preorders AS o
) AS o
CROSS JOIN (
  SELECT COUNT(*) AS tiers, SUM(CRC32(CRC32(CONCAT_WS('|', t.id, COALESCE(t.price_minor, -1), t.is_active)))) AS tiers_rows
  FROM license_tiers AS t
) AS t
CROSS JOIN (
  SELECT COUNT(*) AS images, SUM(CRC32(CRC32(CONCAT_WS('|', m.id, m.product_id, m.position, m.is_private)))) AS images_rows
  FROM product_media AS m
) AS m
CROSS JOIN (
  -- Reads only the index by product, which is much smaller than the table.
  SELECT
    COUNT(*) AS ratings,
    SUM(CRC32(CRC32(CONCAT_WS('|', r.product_id, r.created_at, r.status = 'approved')))) AS ratings_rows
  FROM reviews AS r
) AS r
CROSS JOIN (
  SELECT
    COUNT(*) AS versions,
    SUM(CRC32(CRC32(CONCAT_WS('|', v.product_id, COALESCE(v.published_at, 0), v.status IN ('listed', 'scheduled'))))) AS versions_rows
  FROM releases AS v
) AS v
CROSS JOIN (
  SELECT COUNT(*) AS questions, SUM(CRC32(CRC32(CONCAT_WS('|', f.id, f.updated_at, f.is_active)))) AS questions_rows
  FROM faqs AS f
) AS f
CROSS JOIN (
  SELECT
    COUNT(*) AS articles,
    SUM(CRC32(CRC32(CONCAT_WS('|', b.id, b.updated_at, COALESCE(b.published_at, 0), b.status IN ('published', 'scheduled'))))) AS articles_rows
  FROM blog_posts AS b
) AS b
CROSS JOIN (
  SELECT
    COUNT(*) AS talks,
    SUM(CRC32(CRC32(CONCAT_WS('|', h.id, h.last_activity_at, h.is_pinned, COALESCE(h.solved_post_id, -1),
      h.visibility = 'public' AND h.deleted_at IS NULL AND h.moderation_state = 'approved')))) AS talks_rows
  FROM threads AS h
) AS h
CROSS JOIN (
  SELECT COUNT(*) AS replies, SUM(CRC32(CRC32(CONCAT_WS('|', n.id, n.thread_id)))) AS replies_rows
  FROM posts AS n
) AS n
