#!/usr/bin/env bash
# Elysia answers 404 to each path of each route if the host has fewer than four letters: http://api/products, while http://shop/products and https://api/products find it. It looks for the path behind the eleventh character of the address,
# "http://" and four more. One would guess that a router reads the path as URL does; the host is not even its business.
# Two containers find each other by such names, `api`, `web`, `app` on port 80, and a proxy in front passes them on as Host. The health check by 127.0.0.1 is green, and the page that asks http://api finds no product.
# The option handler: { standardHostname: false } looks behind the seventh: that heals http://api, and makes a 404 of every address with https.
# Version: elysia 1.4.30, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps elysia@1.4.30 @sinclair/typebox@0.34.41 exact-mirror@0.2.2
cat > run.js <<'JS'
import { Elysia } from "elysia";

for (const handler of [{}, { standardHostname: false }]) {
  const app = new Elysia({ handler }).get("/products", () => "products");
  for (const base of ["http://shop", "http://api", "https://api", "https://shop"]) {
    const { status } = await app.handle(new Request(`${base}/products`));
    console.log(`${base} ${status}`);
  }
}
JS
seen=$(node run.js | tr '\n' ' ')
echo "elysia $(node -p 'JSON.parse(fs.readFileSync("node_modules/elysia/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'http://shop 200 http://api 404 https://api 200 https://shop 200 http://shop 200 http://api 200 https://api 404 https://shop 404 ' ]
