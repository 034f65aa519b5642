-- The next moment at which a product is published, goes on sale, or can no longer be preordered.
SELECT MIN(m.moment) AS next_change_at
FROM (
  SELECT a.published_at AS moment FROM admitted_products AS a WHERE a.published_at > '-infinity'
  UNION ALL
  SELECT v.sold_from FROM public_products AS v
  UNION ALL
  SELECT r.preorder_ends_at FROM prices AS r JOIN public_products AS v ON v.id = r.product_id
) AS m
WHERE m.moment > current_setting('vitrine.now')::timestamptz
