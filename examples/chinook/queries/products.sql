-- Tracks, each with its own id, and albums as bundles of theirs with ids from 100,001 on.
-- The type of a track is its media type: mpeg-audio-file, protected-mpeg-4-video-file, …
-- Chinook has no dates: every product bears the one below, so that only ids order them.
WITH RECURSIVE
constants (album_offset, made_at) AS (
  VALUES (100000, '2009-01-01 00:00:00')
),
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
album_contents (album_id, tracks, price_minor, list_html) AS (
  SELECT
    t.AlbumId,
    COUNT(t.TrackId),
    SUM(CAST(ROUND(t.UnitPrice * 100) AS INTEGER)),
    GROUP_CONCAT(
      '<li>' || REPLACE(REPLACE(REPLACE(t.Name, '&', '&amp;'), '<', '&lt;'), '>', '&gt;') || '</li>',
      ''
      ORDER BY t.TrackId
    )
  FROM Track AS t
  GROUP BY t.AlbumId
),
goods (id, name, artist, album, composer, seconds, tracks, list_html, genre_id, type_name, price_minor) AS (
  SELECT
    t.TrackId,
    t.Name,
    COALESCE(r.Name, 'Unknown Artist'),
    a.Title,
    COALESCE(t.Composer, ''),
    t.Milliseconds / 1000,
    1,
    NULL,
    t.GenreId,
    m.Name,
    CAST(ROUND(t.UnitPrice * 100) AS INTEGER)
  FROM Track AS t
  JOIN Album AS a ON a.AlbumId = t.AlbumId
  JOIN Artist AS r ON r.ArtistId = a.ArtistId
  JOIN MediaType AS m ON m.MediaTypeId = t.MediaTypeId
  WHERE t.GenreId IS NOT NULL
  UNION ALL
  SELECT
    c.album_offset + a.AlbumId,
    a.Title,
    COALESCE(r.Name, 'Unknown Artist'),
    a.Title,
    '',
    0,
    l.tracks,
    l.list_html,
    g.genre_id,
    'bundle',
    l.price_minor
  FROM Album AS a
  JOIN Artist AS r ON r.ArtistId = a.ArtistId
  JOIN album_genres AS g ON g.album_id = a.AlbumId AND g.place = 1
  JOIN album_contents AS l ON l.album_id = a.AlbumId
  CROSS JOIN constants AS c
),
-- Types have names to make slugs of too; below zero they do not meet the goods' ids.
types (id, name) AS (
  SELECT -m.MediaTypeId, m.Name FROM MediaType AS m
  UNION ALL
  SELECT -1000, 'bundle'
),
names (id, name) AS (
  SELECT g.id, g.name FROM goods AS g
  UNION ALL
  SELECT t.id, t.name FROM types AS t
),
-- Names to slugs, letter by letter: accents folded, everything else that is not a-z or 0-9 becomes one hyphen.
folds (letter, plain) AS (
  VALUES
    ('á', 'a'), ('à', 'a'), ('â', 'a'), ('ã', 'a'), ('ä', 'a'), ('å', 'a'), ('Á', 'a'), ('À', 'a'), ('Â', 'a'),
    ('ç', 'c'), ('Ç', 'c'), ('é', 'e'), ('è', 'e'), ('ê', 'e'), ('ë', 'e'), ('É', 'e'), ('Ê', 'e'), ('í', 'i'),
    ('ì', 'i'), ('î', 'i'), ('ï', 'i'), ('Í', 'i'), ('ñ', 'n'), ('ó', 'o'), ('ò', 'o'), ('ô', 'o'), ('õ', 'o'),
    ('ö', 'o'), ('ø', 'o'), ('Ó', 'o'), ('Ô', 'o'), ('Õ', 'o'), ('Ö', 'o'), ('ú', 'u'), ('ù', 'u'), ('û', 'u'),
    ('ü', 'u'), ('Ú', 'u'), ('Ü', 'u'), ('ß', 'ss'), ('''', ''), ('’', '')
),
walk (id, rest, slug) AS (
  SELECT n.id, LOWER(n.name), '' FROM names AS n
  UNION ALL
  SELECT
    w.id,
    SUBSTR(w.rest, 2),
    w.slug || CASE
      WHEN SUBSTR(w.rest, 1, 1) GLOB '[a-z0-9]' THEN SUBSTR(w.rest, 1, 1)
      ELSE COALESCE(
        (SELECT f.plain FROM folds AS f WHERE f.letter = SUBSTR(w.rest, 1, 1)),
        CASE WHEN w.slug = '' OR w.slug GLOB '*-' THEN '' ELSE '-' END
      )
    END
  FROM walk AS w
  WHERE w.rest <> ''
),
slugs (id, slug) AS (
  SELECT w.id, TRIM(SUBSTR(w.slug, 1, 120), '-') FROM walk AS w WHERE w.rest = ''
),
escaped (id, name, artist, album, composer) AS (
  SELECT
    g.id,
    REPLACE(REPLACE(REPLACE(g.name, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'),
    REPLACE(REPLACE(REPLACE(g.artist, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'),
    REPLACE(REPLACE(REPLACE(g.album, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'),
    REPLACE(REPLACE(REPLACE(g.composer, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')
  FROM goods AS g
)
SELECT
  g.id AS id,
  g.name AS title,
  -- The id makes equal names differ, and is all there is of a name without a letter.
  LTRIM(s.slug || '-' || g.id, '-') AS slug,
  'By ' || g.artist AS excerpt,
  CASE
    WHEN g.list_html IS NULL THEN 'By ' || g.artist || ', from the album ' || g.album || '.'
    ELSE 'An album by ' || g.artist || ' with ' || g.tracks || CASE g.tracks WHEN 1 THEN ' track.' ELSE ' tracks.' END
  END AS description_short,
  '<p><strong>' || e.name || '</strong> by ' || e.artist || '</p>'
    || CASE
      WHEN g.list_html IS NOT NULL THEN '<ol>' || g.list_html || '</ol>'
      ELSE '<ul><li>Album: ' || e.album || '</li><li>Length: ' || PRINTF('%d:%02d', g.seconds / 60, g.seconds % 60) || '</li>'
        || CASE WHEN e.composer = '' THEN '' ELSE '<li>Composer: ' || e.composer || '</li>' END
        || '</ul>'
    END AS description_html,
  g.genre_id AS category_id,
  k.slug AS type,
  'published' AS status,
  g.price_minor AS price_minor,
  NULL AS sale_price_minor,
  NULL AS preorder_price_minor,
  NULL AS extended_price_minor,
  'USD' AS currency,
  '' AS image,
  '[]' AS gallery,
  g.tracks >= 25 AS featured,
  '/music/' || LTRIM(s.slug || '-' || g.id, '-') AS public_url,
  '' AS demo_url,
  '' AS docs_url,
  c.made_at AS created_at,
  c.made_at AS updated_at
FROM goods AS g
JOIN escaped AS e ON e.id = g.id
JOIN slugs AS s ON s.id = g.id
JOIN types AS t ON t.name = g.type_name
JOIN slugs AS k ON k.id = t.id
CROSS JOIN constants AS c
