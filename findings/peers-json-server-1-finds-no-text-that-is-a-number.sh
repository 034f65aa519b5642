#!/usr/bin/env bash
# json-server 1.0 makes a number of every value in a query that looks like one, and compares strictly: ?slug=00123, ?version=1.10 and even ?id=1 find nothing, as each id is a text there. /products/1 and
# ?slug=mug find their product, ?version:startsWith=1.1 too. A list of reviews whose productId is the number 1 is found by ?productId=1, but not embedded in its product; one whose productId is the text "1" is embedded, and
# not found. One would guess that a query, which is text, is compared as text, as 0.17 did.
# A catalog served so loses exactly the products whose SKU, version or slug is made of digits, with status 200 and an empty list.
# What to do: ask for /products/1, or ?sku:startsWith=00123 and compare again.
# Version: json-server 1.0.0-beta.15, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund json-server@1.0.0-beta.15
cat > db.json <<'JSON'
{ "products": [{ "id": 1, "slug": "mug", "version": "1.9" }, { "id": 2, "slug": "00123", "version": "1.10" }],
  "reviews": [{ "id": 7, "productId": 1 }, { "id": 8, "productId": "1" }] }
JSON
port=$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
node node_modules/json-server/lib/bin.js --host 127.0.0.1 --port "$port" db.json > log.txt 2>&1 & server=$!
cat > run.js <<'JS'
const [base, ...paths] = process.argv.slice(2);
const ask = (path) => fetch(base + path).then((response) => response.json());
for (let tries = 0; tries < 100 && !(await ask("/products").catch(() => null)); tries++) await new Promise((done) => setTimeout(done, 200));
for (const path of paths) {
  const answer = await ask(path);
  console.log(`${path} ${[answer].flat().map(({ slug, id, reviews }) => (slug ?? id) + (reviews ? ` with ${reviews.map((review) => review.id)}` : "")).join(" ")}`.trimEnd());
}
JS
seen=$(node run.js "http://127.0.0.1:$port" '/products?slug=mug' '/products?slug=00123' '/products?version=1.10' '/products?version:startsWith=1.1' '/products?id=1' /products/1 '/reviews?productId=1' '/products/1?_embed=reviews')
echo "json-server $(node -p 'require("./node_modules/json-server/package.json").version')"
echo "seen: $seen"
[ "$seen" = '/products?slug=mug mug
/products?slug=00123
/products?version=1.10
/products?version:startsWith=1.1 00123
/products?id=1
/products/1 mug
/reviews?productId=1 7
/products/1?_embed=reviews mug with 8' ]
