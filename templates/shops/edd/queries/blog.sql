-- Posts that are out, without a password.
SELECT
  p.ID AS id,
  p.post_title AS title_html,
  CASE WHEN p.post_name LIKE '%\%%' THEN p.post_title ELSE p.post_name END AS slug_source,
  p.post_excerpt AS excerpt_wordpress,
  COALESCE((
    SELECT i.url
    FROM wp_postmeta AS m
    JOIN pictures AS i ON i.id = m.meta_value
    WHERE m.post_id = p.ID AND m.meta_key = '_thumbnail_id'
    LIMIT 1
  ), '') AS image,
  -- With an author or a category in it, an address is not made here: WordPress leads on from the plain one.
  CASE
    WHEN w.front IS NULL OR REGEXP_REPLACE(w.posts, '%(year|monthnum|day|hour|minute|second|post_id|postname)%', '') LIKE '%\%%'
      THEN CONCAT(w.path, '/?p=', p.ID)
    ELSE CONCAT(w.path, REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(w.posts,
      '%year%', DATE_FORMAT(p.post_date, '%Y')), '%monthnum%', DATE_FORMAT(p.post_date, '%m')),
      '%day%', DATE_FORMAT(p.post_date, '%d')), '%hour%', DATE_FORMAT(p.post_date, '%H')),
      '%minute%', DATE_FORMAT(p.post_date, '%i')), '%second%', DATE_FORMAT(p.post_date, '%s')),
      '%post_id%', p.ID), '%postname%', p.post_name))
  END AS url,
  p.post_date_gmt AS published_at,
  p.post_modified_gmt AS updated_at,
  p.post_content AS content_wordpress
FROM wp_posts AS p
JOIN site AS w
WHERE p.post_type = 'post'
  AND p.post_status = 'publish'
  AND p.post_password = ''
  AND p.post_name <> ''
  AND p.post_title <> ''
  AND p.post_date_gmt > '1970-01-01 00:00:00'
  AND p.post_date_gmt <= @now
