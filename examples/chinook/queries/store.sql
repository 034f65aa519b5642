-- Chinook knows nothing of its own shop, so this row is written here.
SELECT
  'Chinook Music' AS store_name,
  'Tracks and albums, one by one' AS tagline,
  'A digital music shop: ' || (SELECT COUNT(TrackId) FROM Track) || ' tracks on '
    || (SELECT COUNT(AlbumId) FROM Album) || ' albums.' AS description,
  '' AS logo_url,
  '' AS favicon_url,
  'USD' AS currency,
  'https://music.example' AS public_url,
  '' AS support_url,
  '' AS docs_url,
  '' AS blog_url,
  '[]' AS social_links
