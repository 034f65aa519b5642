-- Genres are the categories.
SELECT
  g.GenreId AS id,
  g.Name AS name,
  g.Name AS slug_source,
  'Tracks and albums filed under ' || g.Name || '.' AS description,
  '/genres/' || g.GenreId AS url
FROM Genre AS g
