#!/usr/bin/env bash
# svelte-sitemap makes an address of a file's path from what stands behind the last "build/", the name of its output folder: the page product/pc-build/index.html is the shop's home page in the sitemap, and product/pc-build/case/index.html is
# /case. It takes the text "index.html" out of a name wherever it finds it, so product/z-index.html is /product/z-. One would guess the path below the folder, with a page's name taken whole; exit is 0 and nothing is reported.
# Products and categories that end in "build", or in "dist" and "out" with these folders (checkout, layout), are never listed, and search engines get addresses that no page has.
# Version: svelte-sitemap 4.0.4, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund svelte-sitemap@4.0.4
for page in pc-build/index pc-build/case/index z-index kit-1.10 mug/index; do mkdir -p "$(dirname "build/product/$page")"; touch "build/product/$page.html"; done
code=0; node_modules/.bin/svelte-sitemap --domain https://shop.example > log 2>&1 || code=$?
seen="exit code $code:$(grep -o 'example[^<]*</loc>' build/sitemap.xml | sed -e 's/^example/ /; s/<.*//' | tr -d '\n')"
echo "svelte-sitemap@4.0.4"
echo "seen: $seen"
[ "$seen" = 'exit code 0:  /case /product/kit-1.10 /product/mug /product/z-' ]
