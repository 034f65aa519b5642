-- Listed and published releases of public products. The location of their files is never selected.
SELECT
  r.id AS id,
  r.product_id AS product_id,
  r.version AS version,
  r.title AS title,
  r.notes_html AS notes_html,
  r.published_at AS release_date,
  '/product/' || p.slug || '/changelog#release-' || r.id AS public_url
FROM releases AS r
JOIN public_products AS v ON v.id = r.product_id
JOIN products AS p ON p.id = r.product_id
WHERE r.status IN ('listed', 'scheduled')
  AND r.published_at <= current_setting('vitrine.now')::timestamptz
