-- What the media types are, answered out of the tracks themselves.
SELECT
  m.MediaTypeId AS id,
  NULL AS product_id,
  'formats' AS type,
  'What is sold as "' || m.Name || '"?' AS question,
  COUNT(t.TrackId) || CASE COUNT(t.TrackId) WHEN 1 THEN ' title, ' ELSE ' titles, ' END
    || PRINTF('%.1f', AVG(t.Bytes) / 1000000.0) || ' MB each on average.' AS answer_text,
  m.MediaTypeId AS position
FROM MediaType AS m
JOIN Track AS t ON t.MediaTypeId = m.MediaTypeId
GROUP BY m.MediaTypeId, m.Name
