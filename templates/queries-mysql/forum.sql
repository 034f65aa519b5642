-- Threads of public subforums with the posts that everybody may read. A thread without a public opening post is left out.
-- Last activity and "solved" are computed from these posts, because the thread's own columns count hidden ones, too.
WITH visible_threads (id) AS (
  SELECT t.id
  FROM threads AS t
  JOIN subforums AS f ON f.id = t.subforum_id
  WHERE f.access_level = 'public'
    AND f.is_hidden = 0
    AND t.visibility = 'public'
    AND t.deleted_at IS NULL
    AND t.moderation_state = 'approved'
),
visible_posts (id, thread_id, post_number, author, body_html, created_at) AS (
  SELECT
    p.id,
    p.thread_id,
    p.post_number,
    COALESCE(NULLIF(TRIM(u.display_name), ''), 'Anonymous'),
    p.body_html,
    p.created_at
  FROM posts AS p
  JOIN visible_threads AS v ON v.id = p.thread_id
  LEFT JOIN users AS u ON u.id = p.author_id
  WHERE p.is_hidden = 0 AND p.is_whisper = 0 AND p.deleted_at IS NULL
)
SELECT
  t.id AS id,
  t.title AS title,
  t.slug AS slug,
  t.type AS type,
  f.slug AS subforum_slug,
  f.name AS subforum_name,
  c.slug AS category_slug,
  c.name AS category_name,
  o.author AS author_display_name,
  t.is_pinned AS pinned,
  t.is_locked AS locked,
  EXISTS (SELECT 1 FROM visible_posts AS p
          WHERE p.thread_id = t.id AND p.post_number > 1 AND p.id = t.solved_post_id) AS solved,
  t.created_at AS created_at,
  (SELECT MAX(p.created_at) FROM visible_posts AS p WHERE p.thread_id = t.id) AS last_activity_at,
  CONCAT('/forum/', f.slug, '/', t.slug) AS url,
  o.body_html AS content_html,
  COALESCE((
    SELECT CONCAT('[', GROUP_CONCAT(
      JSON_OBJECT(
        'id', p.id,
        'author_display_name', p.author,
        'content_html', p.body_html,
        'is_solution', JSON_EXTRACT(IF(p.id <=> t.solved_post_id, 'true', 'false'), '$'),
        'created_at', DATE_FORMAT(p.created_at, '%Y-%m-%d %H:%i:%s')
      )
      ORDER BY p.post_number SEPARATOR ','
    ), ']')
    FROM visible_posts AS p
    WHERE p.thread_id = t.id AND p.post_number > 1
  ), '[]') AS replies
FROM visible_posts AS o
JOIN threads AS t ON t.id = o.thread_id
JOIN subforums AS f ON f.id = t.subforum_id
LEFT JOIN forum_categories AS c ON c.id = t.category_id AND c.is_hidden = 0
WHERE o.post_number = 1
