-- The next moment at which a price list of a public product begins or ends.
SELECT to_char(MIN(m.moment) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS next_change_at
FROM (
  SELECT date_trunc('second', p.starts_at + INTERVAL '0.999999 seconds') AS moment
  FROM prices AS p JOIN public_products AS v ON v.id = p.product_id
  UNION ALL
  SELECT date_trunc('second', p.ends_at + INTERVAL '0.999999 seconds')
  FROM prices AS p JOIN public_products AS v ON v.id = p.product_id
) AS m
WHERE m.moment > current_setting('vitrine.now')::timestamptz
