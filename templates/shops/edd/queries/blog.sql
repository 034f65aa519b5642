-- Posts that are out, without a password, for everybody.
SELECT
  p.ID AS id,
  p.post_title AS title_html,
  CASE WHEN p.post_name LIKE '%\%%' THEN REGEXP_REPLACE(p.post_title, '<[^>]*>|&[#A-Za-z0-9]+;', ' ') ELSE p.post_name END AS slug_source,
  p.post_excerpt AS excerpt_wordpress,
  COALESCE((
    SELECT i.url
    FROM wp_postmeta AS m
    JOIN pictures AS i ON i.id = m.meta_value
    WHERE m.meta_id = (SELECT MIN(f.meta_id) FROM wp_postmeta AS f WHERE f.post_id = p.ID AND f.meta_key = '_thumbnail_id')
  ), '') AS image,
  -- Addresses with an author or a category are not made here: WordPress redirects from the plain address.
  CASE
    WHEN w.front IS NULL OR REGEXP_REPLACE(w.posts, '%(year|monthnum|day|hour|minute|second|post_id|postname)%', '') LIKE '%\%%'
      THEN CONCAT(w.path, '/?p=', p.ID)
    ELSE CONCAT(w.path, REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(w.posts,
      '%year%', DATE_FORMAT(p.post_date, '%Y')), '%monthnum%', DATE_FORMAT(p.post_date, '%m')),
      '%day%', DATE_FORMAT(p.post_date, '%d')), '%hour%', DATE_FORMAT(p.post_date, '%H')),
      '%minute%', DATE_FORMAT(p.post_date, '%i')), '%second%', DATE_FORMAT(p.post_date, '%s')),
      '%post_id%', p.ID), '%postname%', p.post_name))
  END AS url,
  d.published_at,
  d.updated_at,
  p.post_content AS content_wordpress
FROM wp_posts AS p
JOIN dated AS d ON d.id = p.ID
LEFT JOIN in_other_languages AS o ON o.id = p.ID
LEFT JOIN in_no_language AS n ON n.id = p.ID
LEFT JOIN members_only AS r ON r.id = p.ID
JOIN site AS w
WHERE p.post_type = 'post'
  AND p.post_status = 'publish'
  AND p.post_password = ''
  AND p.post_name <> ''
  AND p.post_title <> ''
  AND d.published_at <= @now
  AND o.id IS NULL
  AND n.id IS NULL
  AND r.id IS NULL
