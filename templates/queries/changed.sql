-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of squares that are made from a row's values: a count or a sum of values stays the same if two rows exchange them. All rows, not
-- the latest time: one in the future would hide the others.
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
  SELECT COUNT(*) AS goods, SUM(p.mark * p.mark % 4294967291) AS goods_rows
  FROM (
    SELECT
      (p.id * 1000003 + unixepoch(p.updated_at) * 101 + COALESCE(p.regular_price_minor, -1) * 13
        + p.featured * 7 + (p.status = 'published' AND p.visibility = 'visible' AND p.deleted_at IS NULL)) % 2147483647 AS mark
    FROM products AS p
  ) AS p
) AS p
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(c.mark * c.mark % 4294967291) AS places_rows
  FROM (
    SELECT
      (c.product_id * 1000003 + c.category_id * 101 + c.is_primary) % 2147483647 AS mark
    FROM product_categories AS c
  ) AS c
) AS c
CROSS JOIN (
  SELECT COUNT(*) AS sales, SUM(w.mark * w.mark % 4294967291) AS sales_rows
  FROM (
    SELECT
      (w.id * 1000003 + COALESCE(w.sale_price_minor, -1) * 101 + COALESCE(w.percent, -1) * 13
        + w.is_active * 7 + unixepoch(w.starts_at) * 3 + COALESCE(unixepoch(w.ends_at), 0)) % 2147483647 AS mark
    FROM sale_windows AS w
  ) AS w
) AS w
CROSS JOIN (
  SELECT COUNT(*) AS offers, SUM(o.mark * o.mark % 4294967291) AS offers_rows
  FROM (
    SELECT
      (o.id * 1000003 + COALESCE(o.price_minor, -1) * 101 + (o.state = 'open')) % 2147483647 AS mark
    FROM preorders AS o
  ) AS o
) AS o
CROSS JOIN (
  SELECT COUNT(*) AS tiers, SUM(t.mark * t.mark % 4294967291) AS tiers_rows
  FROM (
    SELECT
      (t.id * 1000003 + COALESCE(t.price_minor, -1) * 101 + t.is_active) % 2147483647 AS mark
    FROM license_tiers AS t
  ) AS t
) AS t
CROSS JOIN (
  SELECT COUNT(*) AS images, SUM(m.mark * m.mark % 4294967291) AS images_rows
  FROM (
    SELECT
      (m.id * 1000003 + m.product_id * 101 + m.position * 13 + m.is_private) % 2147483647 AS mark
    FROM product_media AS m
  ) AS m
) AS m
CROSS JOIN (
  -- Reads only the index by product, which is much smaller than the table.
  SELECT COUNT(*) AS ratings, SUM(r.mark * r.mark % 4294967291) AS ratings_rows
  FROM (
    SELECT
      (r.product_id * 1000003 + unixepoch(r.created_at) * 101 + (r.status = 'approved')) % 2147483647 AS mark
    FROM reviews AS r
  ) AS r
) AS r
CROSS JOIN (
  SELECT COUNT(*) AS versions, SUM(v.mark * v.mark % 4294967291) AS versions_rows
  FROM (
    SELECT
      (v.product_id * 1000003 + COALESCE(unixepoch(v.published_at), 0) * 101
        + (v.status IN ('listed', 'scheduled'))) % 2147483647 AS mark
    FROM releases AS v
  ) AS v
) AS v
CROSS JOIN (
  SELECT COUNT(*) AS questions, SUM(f.mark * f.mark % 4294967291) AS questions_rows
  FROM (
    SELECT
      (f.id * 1000003 + unixepoch(f.updated_at) * 101 + f.is_active) % 2147483647 AS mark
    FROM faqs AS f
  ) AS f
) AS f
CROSS JOIN (
  SELECT COUNT(*) AS articles, SUM(b.mark * b.mark % 4294967291) AS articles_rows
  FROM (
    SELECT
      (b.id * 1000003 + unixepoch(b.updated_at) * 101 + COALESCE(unixepoch(b.published_at), 0) * 13
        + (b.status IN ('published', 'scheduled'))) % 2147483647 AS mark
    FROM blog_posts AS b
  ) AS b
) AS b
CROSS JOIN (
  SELECT COUNT(*) AS talks, SUM(h.mark * h.mark % 4294967291) AS talks_rows
  FROM (
    SELECT
      (h.id * 1000003 + unixepoch(h.last_activity_at) * 101 + h.is_pinned * 13
        + COALESCE(h.solved_post_id, -1) * 7
        + (h.visibility = 'public' AND h.deleted_at IS NULL AND h.moderation_state = 'approved')) % 2147483647 AS mark
    FROM threads AS h
  ) AS h
) AS h
CROSS JOIN (
  SELECT COUNT(*) AS replies, SUM(n.mark * n.mark % 4294967291) AS replies_rows
  FROM (
    SELECT
      (n.id * 1000003 + n.thread_id) % 2147483647 AS mark
    FROM posts AS n
  ) AS n
) AS n
