#!/usr/bin/env bash
# slugify (strict) and slug drop a dot or slash inside a number: 3.5mm and 35mm get one slug, 1/2 and 12 too; slugify without strict keeps the inch sign in the slug, and slug
# makes a random-looking text of a title without Latin letters. One would guess a hyphen. Two products of different size get one address, and the
# second gets "-2" or replaces the first; of these only @sindresorhus/slugify keeps them apart.
# Version: slugify 1.6.9, slug 12.0.1, @sindresorhus/slugify 3.0.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund slugify@1.6.9 slug@12.0.1 @sindresorhus/slugify@3.0.1
cat > run.js <<'JS'
import sindre from "@sindresorhus/slugify";
import slug from "slug";
import slugify from "slugify";

for (const title of ["Jack 3.5mm", "Jack 35mm", '1/2" pipe', '12" pipe', "ティー"])
  console.log([slugify(title, { lower: true, strict: true }), slugify(title, { lower: true }), slug(title), sindre(title)].join(" | "));
JS
seen=$(node run.js)
echo "slugify@1.6.9 slug@12.0.1 @sindresorhus/slugify@3.0.1"
echo "seen: $seen"
[ "$seen" = 'jack-35mm | jack-3.5mm | jack-35mm | jack-3-5mm
jack-35mm | jack-35mm | jack-35mm | jack-35mm
12-pipe | 12"-pipe | 12-pipe | 1-2-pipe
12-pipe | 12"-pipe | 12-pipe | 12-pipe
 |  | 44og44kj44o8 | ' ]
