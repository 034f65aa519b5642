-- Products that the shop shows and these files leave out, with the reason. For the operator: no answer contains these rows.
SELECT p.ID AS id, p.post_title AS title, COALESCE(v.hidden, 'without a price') AS reason
FROM published_products AS v
JOIN wp_posts AS p ON p.ID = v.id
WHERE v.id NOT IN (SELECT o.id FROM public_products AS o)
