-- `watch` reads this row instead of all rows: it changes whenever a row of the other files may have changed.
-- Sums of digests of rows: a count or a sum of values stays the same if two rows exchange them. CRC32 twice, because it is linear: sums
-- of one alone miss some exchanges. All rows, not the latest time: one in the future, or of a transaction that commits late, would
-- hide the others.
-- Orders do not change this row. Only the hourly reading of all rows notices the edited text of an approved review, and a
-- picture that is replaced in the media library.
SELECT p.*, t.*, h.*, s.*, r.*, o.*, m.*
FROM (
  -- WordPress sets the time whenever it saves a download or a post, and counts approved comments here. The index by type finds
  -- the rows.
  SELECT
    COUNT(*) AS saved,
    SUM(CRC32(CRC32(CONCAT_WS('|', p.ID, p.post_modified_gmt, p.post_status, p.comment_count)))) AS saved_rows
  FROM wp_posts AS p
  WHERE p.post_type IN ('download', 'post')
) AS p
CROSS JOIN (
  SELECT
    COUNT(*) AS terms,
    SUM(CRC32(CRC32(CONCAT_WS('|', x.term_id, x.parent, x.count, x.description, t.slug, t.name)))) AS terms_text
  FROM wp_term_taxonomy AS x
  JOIN wp_terms AS t ON t.term_id = x.term_id
  WHERE x.taxonomy IN ('download_category', 'language')
) AS t
CROSS JOIN (
  SELECT COUNT(*) AS places, SUM(CRC32(CRC32(CONCAT_WS('|', h.object_id, h.term_taxonomy_id)))) AS places_rows
  FROM wp_term_taxonomy AS x
  JOIN wp_term_relationships AS h ON h.term_taxonomy_id = x.term_taxonomy_id
  WHERE x.taxonomy IN ('download_category', 'language')
) AS h
CROSS JOIN (
  SELECT COUNT(*) AS reviewed, SUM(CRC32(CRC32(CONCAT_WS('|', m.post_id, m.meta_value)))) AS reviewed_text
  FROM wp_postmeta AS m
  WHERE m.meta_key = 'edd_reviews_status'
) AS s
CROSS JOIN (
  SELECT COUNT(*) AS marks, SUM(CRC32(CRC32(CONCAT_WS('|', m.comment_id, m.meta_value)))) AS marks_text
  FROM wp_commentmeta AS m
  WHERE m.meta_key IN ('edd_review_approved', 'edd_rating')
) AS r
CROSS JOIN (
  SELECT SUM(CRC32(CRC32(CONCAT_WS('|', o.option_name, o.option_value)))) AS options_text
  FROM wp_options AS o
  WHERE o.option_name IN ('blogname', 'blogdescription', 'home', 'siteurl', 'permalink_structure', 'upload_path', 'upload_url_path',
    'timezone_string', 'gmt_offset', 'icl_sitepress_settings', 'polylang', 'edd_settings')
) AS o
CROSS JOIN (
  SELECT COUNT(*) AS for_members, SUM(CRC32(CRC32(m.id))) AS for_members_ids
  FROM members_only AS m
) AS m
