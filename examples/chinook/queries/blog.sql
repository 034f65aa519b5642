-- Playlists are told as posts: what is on them, the first 25 tracks by name. Empty ones have nothing to tell.
WITH RECURSIVE
names (id, name) AS (
  SELECT p.PlaylistId, p.Name FROM Playlist AS p
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
entries (playlist_id, place, total, name_html) AS (
  SELECT
    e.PlaylistId,
    ROW_NUMBER() OVER (PARTITION BY e.PlaylistId ORDER BY e.TrackId),
    COUNT(e.TrackId) OVER (PARTITION BY e.PlaylistId),
    REPLACE(REPLACE(REPLACE(t.Name, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')
  FROM PlaylistTrack AS e
  JOIN Track AS t ON t.TrackId = e.TrackId
),
contents (playlist_id, total, list_html) AS (
  SELECT e.playlist_id, MAX(e.total), GROUP_CONCAT('<li>' || e.name_html || '</li>', '' ORDER BY e.place)
  FROM entries AS e
  WHERE e.place <= 25
  GROUP BY e.playlist_id
)
SELECT
  p.PlaylistId AS id,
  'Playlist: ' || p.Name AS title,
  'playlist-' || s.slug || '-' || p.PlaylistId AS slug,
  c.total || CASE c.total WHEN 1 THEN ' track.' ELSE ' tracks.' END AS excerpt,
  '' AS image,
  '/playlists/' || s.slug || '-' || p.PlaylistId AS url,
  '2009-01-01 00:00:00' AS published_at,
  '2009-01-01 00:00:00' AS updated_at,
  '<ol>' || c.list_html || '</ol>'
    || CASE WHEN c.total > 25 THEN '<p>… and ' || (c.total - 25) || ' more.</p>' ELSE '' END AS content_html
FROM Playlist AS p
JOIN contents AS c ON c.playlist_id = p.PlaylistId
JOIN slugs AS s ON s.id = p.PlaylistId
