-- The next moment at which a product is published, is sold, or can no longer be preordered.
SELECT to_char(MIN(m.moment) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS next_change_at
FROM (
  SELECT date_trunc('second', e.moment + INTERVAL '0.999999 seconds') AS moment
  FROM (
    SELECT a.published_at AS moment FROM admitted_products AS a WHERE a.published_at > '-infinity'
    UNION ALL
    SELECT v.sold_from FROM public_products AS v
    UNION ALL
    SELECT r.preorder_ends_at FROM prices AS r JOIN public_products AS v ON v.id = r.product_id
  ) AS e
) AS m
WHERE m.moment > current_setting('vitrine.now')::timestamptz
