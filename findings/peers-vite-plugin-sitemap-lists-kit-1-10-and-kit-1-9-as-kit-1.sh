#!/usr/bin/env bash
# vite-plugin-sitemap takes what follows the last dot off each address, as if it were a file's ending: also off folders, kit-1.10/index.html and kit-1.9/index.html are both /product/kit-1, and off the routes that are named in its
# option dynamicRoutes, /product/lens-1.8 and /product/lens-1.4. The sitemap then has the same address twice. One would guess that ".html" and "index.html" are taken off, and a route that is written out in the settings is left as it is.
# A shop's versions, apertures and sizes are not in its sitemap, and an address that answers 404 is there once for each.
# Version: vite-plugin-sitemap 0.8.2, vite 8.4.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund vite-plugin-sitemap@0.8.2 vite@8.4.0
for slug in kit-1.9 kit-1.10 mug; do mkdir -p "public/product/$slug"; echo "<h1>$slug</h1>" > "public/product/$slug/index.html"; done
echo '<h1>shop</h1>' > index.html
cat > vite.config.js <<'JS'
import sitemap from "vite-plugin-sitemap";

const dynamicRoutes = ["/product/lens-1.4", "/product/lens-1.8"];
export default { plugins: [sitemap({ hostname: "https://shop.example", dynamicRoutes, generateRobotsTxt: false })] };
JS
code=0; node_modules/.bin/vite build > log 2>&1 < /dev/null || code=$?
seen="exit code $code:$(grep -o 'example[^<]*</loc>' dist/sitemap.xml | sed -e 's/^example/ /; s/<.*//' | LC_ALL=C sort | tr -d '\n')"
echo "vite-plugin-sitemap@0.8.2 vite@8.4.0"
echo "seen: $seen"
[ "$seen" = 'exit code 0: / /product/kit-1 /product/kit-1 /product/lens-1 /product/lens-1 /product/mug' ]
