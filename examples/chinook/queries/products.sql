-- Tracks, each with its own id, and albums as bundles of theirs with ids from 100,001 on.
-- The type of a track is its media type: mpeg-audio-file, protected-mpeg-4-video-file, …
-- Chinook has no dates: every product bears the one below, so that only ids order them.
WITH
-- How often each genre is on an album; the most frequent is the album's, of equals the one with the smaller id.
album_genres (album_id, genre_id, place) AS (
  SELECT
    t.AlbumId,
    t.GenreId,
    ROW_NUMBER() OVER (PARTITION BY t.AlbumId ORDER BY COUNT(t.TrackId) DESC, t.GenreId)
  FROM Track AS t
  WHERE t.GenreId IS NOT NULL
  GROUP BY t.AlbumId, t.GenreId
),
album_contents (album_id, tracks, price, lines) AS (
  SELECT t.AlbumId, COUNT(t.TrackId), SUM(t.UnitPrice), GROUP_CONCAT(t.Name, CHAR(10) ORDER BY t.TrackId)
  FROM Track AS t
  GROUP BY t.AlbumId
),
goods (id, name, artist, summary, details, tracks, genre_id, type_name, price) AS (
  SELECT
    t.TrackId,
    t.Name,
    COALESCE(r.Name, 'Unknown Artist'),
    'By ' || COALESCE(r.Name, 'Unknown Artist') || ', from the album ' || a.Title || '.',
    'Length: ' || PRINTF('%d:%02d', t.Milliseconds / 60000, t.Milliseconds / 1000 % 60)
      || COALESCE(CHAR(10) || 'Composer: ' || t.Composer, ''),
    1,
    t.GenreId,
    m.Name,
    t.UnitPrice
  FROM Track AS t
  JOIN Album AS a ON a.AlbumId = t.AlbumId
  JOIN Artist AS r ON r.ArtistId = a.ArtistId
  JOIN MediaType AS m ON m.MediaTypeId = t.MediaTypeId
  WHERE t.GenreId IS NOT NULL
  UNION ALL
  SELECT
    100000 + a.AlbumId,
    a.Title,
    COALESCE(r.Name, 'Unknown Artist'),
    'An album by ' || COALESCE(r.Name, 'Unknown Artist') || ' with ' || l.tracks
      || CASE l.tracks WHEN 1 THEN ' track.' ELSE ' tracks.' END,
    l.lines,
    l.tracks,
    g.genre_id,
    'bundle',
    l.price
  FROM Album AS a
  JOIN Artist AS r ON r.ArtistId = a.ArtistId
  JOIN album_genres AS g ON g.album_id = a.AlbumId AND g.place = 1
  JOIN album_contents AS l ON l.album_id = a.AlbumId
)
SELECT
  g.id AS id,
  g.name AS title,
  -- Vitrine makes the slug of it, and puts the id behind it where a name occurs more than once.
  g.name AS slug_source,
  'By ' || g.artist AS excerpt,
  g.summary AS description_short,
  g.summary || CHAR(10, 10) || g.details AS description_text,
  g.genre_id AS category_id,
  g.type_name AS type_source,
  'published' AS status,
  g.price AS price,
  NULL AS sale_price,
  NULL AS preorder_price,
  NULL AS extended_price,
  'USD' AS currency,
  '' AS image,
  '[]' AS gallery,
  g.tracks >= 25 AS featured,
  '/music/' || g.id AS public_url,
  '' AS demo_url,
  '' AS docs_url,
  '2009-01-01 00:00:00' AS created_at,
  '2009-01-01 00:00:00' AS updated_at
FROM goods AS g
