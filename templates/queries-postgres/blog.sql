-- Published posts for everybody, without a password.
SELECT
  b.id AS id,
  b.title AS title,
  b.slug AS slug,
  COALESCE(b.excerpt, '') AS excerpt,
  COALESCE(b.cover_image, '') AS image,
  '/blog/' || b.slug AS url,
  b.published_at AS published_at,
  b.updated_at AS updated_at,
  b.content_html AS content_html
FROM blog_posts AS b
WHERE b.status IN ('published', 'scheduled')
  AND b.published_at <= current_setting('vitrine.now')::timestamptz
  AND COALESCE(b.password, '') = ''
