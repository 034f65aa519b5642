#!/usr/bin/env bash
# trailingSlash: true of vercel.json, as Vercel's own package turns it into routes, redirects /products/mug to /products/mug/ and /products/mug-1.5/ to /products/mug-1.5, a "file"; /products/mug-1.5-l
# and /products/mug-1.5-l/ are both left alone. One would guess that a name with a dot is a file or is not: each address has one spelling, which is what the setting is for.
# A product's page has two addresses for search engines and caches if its slug has a dot and later a hyphen (sizes and versions, such as shop-2.0-beta),
# and links that a template writes with a slash are redirected for some products only.
# Version: @vercel/routing-utils 6.6.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @vercel/routing-utils@6.6.0
cat > run.js <<'JS'
import { getTransformedRoutes } from "@vercel/routing-utils";

const { routes } = getTransformedRoutes({ trailingSlash: true });
function redirect(path) {
  for (const { src, headers } of routes) {
    const match = new RegExp(src).exec(path);
    if (match && headers) return `redirect to ${headers.Location.replace("$1", match[1])}`;
  }
  return "served as it is";
}
for (const slug of ["mug", "mug-1.5", "mug-1.5-l"]) {
  for (const path of [`/products/${slug}`, `/products/${slug}/`]) console.log(path, redirect(path));
}
JS
seen=$(node run.js)
echo "@vercel/routing-utils $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/@vercel/routing-utils/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '/products/mug redirect to /products/mug/
/products/mug/ served as it is
/products/mug-1.5 served as it is
/products/mug-1.5/ redirect to /products/mug-1.5
/products/mug-1.5-l served as it is
/products/mug-1.5-l/ served as it is' ]
