#!/usr/bin/env bash
# Astro's glob() makes an entry's id of the file's name without dots, plus signs and capitals: mug-1.5-l.json and mug-15-l.json are one entry, mug-15-l, with the data of the one that was read last, and so are 1.0 and 10 or C and C++. The build
# warns of "the same slug" without naming a file, and ends with 0. One would guess that a file's name, which is unique, is the id, or that the build stops. A record with a field "slug" keeps that, letter for letter,
# blanks and slashes included, though it is a field of the data; one with an "id" does not.
# A catalog that is exported to a file for each product loses the ones with a size or a version in their names.
# Version: astro 7.3.5, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund astro@7.3.5
mkdir -p src/pages products
cat > src/content.config.ts <<'TS'
import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
export const collections = { products: defineCollection({ loader: glob({ base: "products", pattern: "*.json" }) }) };
TS
cat > src/pages/ids.txt.ts <<'TS'
import { getCollection } from "astro:content";
export const GET = async () => new Response((await getCollection("products")).map(({ id }) => id).sort().join(", "));
TS
for name in mug-1.5-l mug-15-l 1.0 10 C++ C; do echo "{\"title\":\"$name\"}" > "products/$name.json"; done
echo '{"slug":"V 1.5/b"}' > products/slugged.json
echo '{"id":12}' > products/numbered.json
code=0; ASTRO_TELEMETRY_DISABLED=1 node_modules/.bin/astro build > log 2>&1 < /dev/null || code=$?
seen="exit code $code, 8 files: $(cat dist/ids.txt); warnings: $(grep -c 'same slug' log), of them with a file: $(grep 'same slug' log | grep -c '\.json' || true)"
echo "astro@7.3.5"
echo "seen: $seen"
[ "$seen" = 'exit code 0, 8 files: 10, V 1.5/b, c, mug-15-l, numbered; warnings: 3, of them with a file: 0' ]
