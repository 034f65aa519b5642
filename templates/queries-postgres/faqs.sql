-- Active questions for everybody: general ones, and those of public products.
SELECT
  f.id AS id,
  f.product_id AS product_id,
  f.category AS type,
  f.question AS question,
  f.answer_html AS answer_html,
  f.position AS position
FROM faqs AS f
LEFT JOIN public_products AS v ON v.id = f.product_id
WHERE f.is_active
  AND f.audience = 'public'
  AND (f.product_id IS NULL OR v.id IS NOT NULL)
