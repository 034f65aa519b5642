-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of digests of rows: a count or a sum of values stays the same if two rows exchange them. All rows, not the latest time: one
-- in the future, or of a transaction that commits late, would hide the others.
-- Only the hourly reading of all rows notices edited texts of reviews, releases and forum posts, and changed names of people.
SELECT
  p.*, c.*, w.*, o.*, t.*, m.*, r.*, v.*, f.*, b.*, h.*, n.*,
  (
    SELECT json_build_array(
      s.name, s.tagline, s.description, s.logo_url, s.favicon_url, s.currency, s.url, s.support_url, s.docs_url,
      s.blog_url
    )::text
    FROM store_settings AS s WHERE s.id = 1
  ) AS settings,
  (
    SELECT json_agg(json_build_array(l.network, l.url, l.position, l.is_enabled) ORDER BY l.id)::text
    FROM social_links AS l
  ) AS links,
  (
    SELECT json_agg(json_build_array(s.parent_id, s.slug, s.name, s.description, s.is_visible) ORDER BY s.id)::text
    FROM categories AS s
  ) AS shelves,
  (
    SELECT json_agg(json_build_array(s.slug, s.name, s.access_level, s.is_hidden) ORDER BY s.id)::text
    FROM subforums AS s
  ) AS rooms,
  (
    SELECT json_agg(json_build_array(s.slug, s.name, s.is_hidden) ORDER BY s.id)::text
    FROM forum_categories AS s
  ) AS topics
FROM (
  -- Orders write to this table, too, but not to the columns used here.
  SELECT
    COUNT(*) AS goods,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', p.id, p.updated_at, COALESCE(p.regular_price_minor, -1), p.featured,
      p.status = 'published' AND p.visibility = 'visible' AND p.deleted_at IS NULL), 0)) AS goods_rows
  FROM products AS p
) AS p
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', c.product_id, c.category_id, c.is_primary), 0)) AS places_rows
  FROM product_categories AS c
) AS c
CROSS JOIN (
  SELECT
    COUNT(*) AS sales,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', w.id, COALESCE(w.sale_price_minor, -1), COALESCE(w.percent, -1), w.is_active, w.starts_at,
      COALESCE(w.ends_at, '-infinity')), 0)) AS sales_rows
  FROM sale_windows AS w
) AS w
CROSS JOIN (
  SELECT
    COUNT(*) AS offers,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', o.id, COALESCE(o.price_minor, -1), o.state = 'open'), 0)) AS offers_rows
  FROM preorders AS o
) AS o
CROSS JOIN (
  SELECT
    COUNT(*) AS tiers,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', t.id, COALESCE(t.price_minor, -1), t.is_active), 0)) AS tiers_rows
  FROM license_tiers AS t
) AS t
CROSS JOIN (
  SELECT
    COUNT(*) AS images,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', m.id, m.product_id, m.position, m.is_private), 0)) AS images_rows
  FROM product_media AS m
) AS m
CROSS JOIN (
  -- Reads only the index by product, which is much smaller than the table.
  SELECT
    COUNT(*) AS ratings,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', r.product_id, r.created_at, r.status = 'approved'), 0)) AS ratings_rows
  FROM reviews AS r
) AS r
CROSS JOIN (
  SELECT
    COUNT(*) AS versions,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', v.product_id, COALESCE(v.published_at, '-infinity'), v.status IN ('listed', 'scheduled')), 0)) AS versions_rows
  FROM releases AS v
) AS v
CROSS JOIN (
  SELECT COUNT(*) AS questions, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', f.id, f.updated_at, f.is_active), 0)) AS questions_rows
  FROM faqs AS f
) AS f
CROSS JOIN (
  SELECT
    COUNT(*) AS articles,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', b.id, b.updated_at, COALESCE(b.published_at, '-infinity'), b.status IN ('published', 'scheduled')), 0)) AS articles_rows
  FROM blog_posts AS b
) AS b
CROSS JOIN (
  SELECT
    COUNT(*) AS talks,
    SUM(HASHTEXTEXTENDED(CONCAT_WS('|', h.id, h.last_activity_at, h.is_pinned, COALESCE(h.solved_post_id, -1),
      h.visibility = 'public' AND h.deleted_at IS NULL AND h.moderation_state = 'approved'), 0)) AS talks_rows
  FROM threads AS h
) AS h
CROSS JOIN (
  SELECT COUNT(*) AS replies, SUM(HASHTEXTEXTENDED(CONCAT_WS('|', n.id, n.thread_id), 0)) AS replies_rows
  FROM posts AS n
) AS n
