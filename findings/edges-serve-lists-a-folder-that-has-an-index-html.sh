#!/usr/bin/env bash
# serve, Vercel's static server, with cleanUrls: false answers /products/mug/ with a list of the folder, though index.html is in it. The setting is about leaving .html out of addresses; one would guess that a folder's index.html is
# its page with and without it, as in every other server.
# Whoever turns it off, so that links that end in .html are not redirected, has lists of files in place of the home page and of each page that a generator wrote as slug/index.html, with status 200.
# Version: serve-handler 6.1.8 (in serve), seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund serve-handler@6.1.8
mkdir -p site/products/mug; echo '<h1>Mug</h1>' > site/products/mug/index.html; echo '<h1>Cup</h1>' > site/products/cup.html
cat > run.js <<'JS'
import http from "node:http";
import handler from "serve-handler";

for (const options of [{}, { cleanUrls: false }]) {
  const server = http.createServer((request, response) => handler(request, response, { public: "site", ...options }));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  for (const path of ["/products/mug/", "/products/mug/index.html", "/products/cup.html"]) {
    const answer = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { redirect: "manual" });
    const text = await answer.text();
    console.log(JSON.stringify(options), path, answer.status, /<h1>(Mug|Cup)/.exec(text)?.[1] ?? (text.includes("Files within") ? "a list of files" : ""));
  }
}
process.exit();
JS
seen=$(node run.js)
echo "serve-handler $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/serve-handler/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '{} /products/mug/ 200 Mug
{} /products/mug/index.html 301 
{} /products/cup.html 301 
{"cleanUrls":false} /products/mug/ 200 a list of files
{"cleanUrls":false} /products/mug/index.html 200 Mug
{"cleanUrls":false} /products/cup.html 200 Cup' ]
