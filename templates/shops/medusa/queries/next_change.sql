-- The next moment at which a price list of a public product begins or ends.
SELECT MIN(m.moment) AS next_change_at
FROM (
  SELECT p.starts_at AS moment FROM prices AS p JOIN public_products AS v ON v.id = p.product_id
  UNION ALL
  SELECT p.ends_at FROM prices AS p JOIN public_products AS v ON v.id = p.product_id
) AS m
WHERE m.moment > current_setting('vitrine.now')::timestamptz
