#!/usr/bin/env bash
# serve, Vercel's static server, redirects /products/cup.html?page=2 to /products/cup, and with trailingSlash: true /products/cup?page=2 to /products/cup/: the query is gone. One would guess that it is kept, as the redirects of nginx and
# Apache for a folder's missing slash keep it.
# A link to the second page, a filter or a campaign opens the first page without it; without a redirect, /products/cup?page=2, the same server leaves the query to the page, so it depends on how the link was written.
# Version: serve-handler 6.1.8 (in serve), seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund serve-handler@6.1.8
mkdir -p site/products/mug; echo '<h1>Mug</h1>' > site/products/mug/index.html; echo '<h1>Cup</h1>' > site/products/cup.html
cat > run.js <<'JS'
import http from "node:http";
import handler from "serve-handler";

for (const options of [{}, { trailingSlash: true }]) {
  const server = http.createServer((request, response) => handler(request, response, { public: "site", ...options }));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  for (const path of ["/products/cup.html?page=2", "/products/cup?page=2", "/products/mug?page=2"]) {
    const answer = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { redirect: "manual" });
    console.log(JSON.stringify(options), path, answer.status, answer.headers.get("location"));
  }
}
process.exit();
JS
seen=$(node run.js)
echo "serve-handler $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/serve-handler/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '{} /products/cup.html?page=2 301 /products/cup
{} /products/cup?page=2 200 null
{} /products/mug?page=2 200 null
{"trailingSlash":true} /products/cup.html?page=2 301 /products/cup
{"trailingSlash":true} /products/cup?page=2 301 /products/cup/
{"trailingSlash":true} /products/mug?page=2 301 /products/mug/' ]
