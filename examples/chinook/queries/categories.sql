-- Genres are the categories.
WITH RECURSIVE
names (id, name) AS (
  SELECT g.GenreId, g.Name FROM Genre AS g
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
)
SELECT
  g.GenreId AS id,
  g.Name AS name,
  s.slug AS slug,
  'Tracks and albums filed under ' || g.Name || '.' AS description,
  '/genre/' || s.slug AS url
FROM Genre AS g
JOIN slugs AS s ON s.id = g.GenreId
