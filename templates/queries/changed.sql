-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of times, not the latest time: one in the future, or of a transaction that commits late, would hide the others.
-- Only the hourly reading of all rows notices edited texts of reviews, releases and forum posts, and changed names of people.
SELECT
  p.*, c.*, w.*, o.*, t.*, m.*, r.*, v.*, f.*, b.*, h.*, n.*,
  (
    SELECT json_array(
      s.name, s.tagline, s.description, s.logo_url, s.favicon_url, s.currency, s.url, s.support_url, s.docs_url,
      s.blog_url
    )
    FROM store_settings AS s WHERE s.id = 1
  ) AS settings,
  (
    SELECT json_group_array(json_array(l.network, l.url, l.position, l.is_enabled) ORDER BY l.id)
    FROM social_links AS l
  ) AS links,
  (
    SELECT json_group_array(json_array(s.parent_id, s.slug, s.name, s.description, s.is_visible) ORDER BY s.id)
    FROM categories AS s
  ) AS shelves,
  (
    SELECT json_group_array(json_array(s.slug, s.name, s.access_level, s.is_hidden) ORDER BY s.id)
    FROM subforums AS s
  ) AS rooms,
  (SELECT json_group_array(json_array(s.slug, s.name, s.is_hidden) ORDER BY s.id) FROM forum_categories AS s) AS topics
FROM (
  -- Orders write to this table, too, but not to the columns used here.
  SELECT
    COUNT(*) AS goods,
    SUM(unixepoch(p.updated_at)) AS goods_updated_at,
    SUM(p.regular_price_minor) AS goods_price,
    SUM(p.featured) AS goods_featured,
    COUNT(CASE WHEN p.status = 'published' AND p.visibility = 'visible' AND p.deleted_at IS NULL THEN 1 END) AS goods_shown
  FROM products AS p
) AS p
CROSS JOIN (
  SELECT
    COUNT(*) AS places, SUM(c.category_id) AS places_categories,
    COUNT(CASE WHEN c.is_primary = 1 THEN 1 END) AS places_primary
  FROM product_categories AS c
) AS c
CROSS JOIN (
  SELECT
    COUNT(*) AS sales, SUM(w.sale_price_minor) AS sales_price, SUM(w.percent) AS sales_percent,
    COUNT(CASE WHEN w.is_active = 1 THEN 1 END) AS sales_active, SUM(unixepoch(w.starts_at)) AS sales_start,
    SUM(unixepoch(w.ends_at)) AS sales_end
  FROM sale_windows AS w
) AS w
CROSS JOIN (
  SELECT
    COUNT(*) AS offers, SUM(o.price_minor) AS offers_price, COUNT(CASE WHEN o.state = 'open' THEN 1 END) AS offers_open
  FROM preorders AS o
) AS o
CROSS JOIN (
  SELECT COUNT(*) AS tiers, SUM(t.price_minor) AS tiers_price, COUNT(CASE WHEN t.is_active = 1 THEN 1 END) AS tiers_active
  FROM license_tiers AS t
) AS t
CROSS JOIN (
  SELECT
    COUNT(*) AS images, MAX(m.id) AS images_id, SUM(m.position) AS images_position,
    COUNT(CASE WHEN m.is_private = 1 THEN 1 END) AS images_private
  FROM product_media AS m
) AS m
CROSS JOIN (
  -- Reads only the index by product, which is much smaller than the table.
  SELECT
    COUNT(*) AS ratings, SUM(r.product_id) AS ratings_goods,
    COUNT(CASE WHEN r.status = 'approved' THEN 1 END) AS ratings_approved
  FROM reviews AS r
) AS r
CROSS JOIN (
  SELECT
    COUNT(*) AS versions, SUM(unixepoch(v.published_at)) AS versions_published_at,
    COUNT(CASE WHEN v.status IN ('listed', 'scheduled') THEN 1 END) AS versions_listed
  FROM releases AS v
) AS v
CROSS JOIN (
  SELECT
    COUNT(*) AS questions, SUM(unixepoch(f.updated_at)) AS questions_updated_at,
    COUNT(CASE WHEN f.is_active = 1 THEN 1 END) AS questions_active
  FROM faqs AS f
) AS f
CROSS JOIN (
  SELECT
    COUNT(*) AS articles, SUM(unixepoch(b.updated_at)) AS articles_updated_at,
    SUM(unixepoch(b.published_at)) AS articles_published_at,
    COUNT(CASE WHEN b.status IN ('published', 'scheduled') THEN 1 END) AS articles_out
  FROM blog_posts AS b
) AS b
CROSS JOIN (
  SELECT
    COUNT(*) AS talks, SUM(unixepoch(h.last_activity_at)) AS talks_active_at,
    COUNT(CASE WHEN h.is_pinned = 1 THEN 1 END) AS talks_pinned, SUM(h.solved_post_id) AS talks_solved,
    COUNT(CASE WHEN h.visibility = 'public' AND h.deleted_at IS NULL AND h.moderation_state = 'approved' THEN 1 END) AS talks_shown
  FROM threads AS h
) AS h
CROSS JOIN (
  SELECT COUNT(*) AS replies, MAX(n.id) AS replies_id FROM posts AS n
) AS n
