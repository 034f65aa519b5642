-- Playlists are told as posts: what is on them, the first 25 tracks by id. Empty ones have nothing to tell.
WITH entries (playlist_id, place, total, name) AS (
  SELECT
    e.PlaylistId,
    ROW_NUMBER() OVER (PARTITION BY e.PlaylistId ORDER BY e.TrackId),
    COUNT(e.TrackId) OVER (PARTITION BY e.PlaylistId),
    t.Name
  FROM PlaylistTrack AS e
  JOIN Track AS t ON t.TrackId = e.TrackId
),
contents (playlist_id, total, lines) AS (
  SELECT e.playlist_id, MAX(e.total), GROUP_CONCAT(e.place || '. ' || e.name, CHAR(10) ORDER BY e.place)
  FROM entries AS e
  WHERE e.place <= 25
  GROUP BY e.playlist_id
)
SELECT
  p.PlaylistId AS id,
  'Playlist: ' || p.Name AS title,
  'Playlist: ' || p.Name AS slug_source,
  c.total || CASE c.total WHEN 1 THEN ' track.' ELSE ' tracks.' END AS excerpt,
  '' AS image,
  '/playlists/' || p.PlaylistId AS url,
  '2009-01-01 00:00:00' AS published_at,
  '2009-01-01 00:00:00' AS updated_at,
  c.lines || CASE WHEN c.total > 25 THEN CHAR(10, 10) || '… and ' || (c.total - 25) || ' more.' ELSE '' END AS content_text
FROM Playlist AS p
JOIN contents AS c ON c.playlist_id = p.PlaylistId
