#!/usr/bin/env bash
# json-server 1.0: ?brand.name=Acme finds the products of Acme and each product whose brand is null or missing; ?size.width:gt=100 finds those of no size. A condition on a field inside an object is skipped if the
# object is not there. At the top level it is the other way: ?colour=red leaves out what has no colour. One would guess the same for both (0.17 does so).
# ?price:lte=20 also finds the product without a price, as null counts as 0 there.
# A list "of this brand" is full of products of none, and the more of them the less is known of them.
# With &brand:ne=null beside it the name is no longer asked at all, so every brand is found. What to do: give records a flat field brandName to filter by.
# Version: json-server 1.0.0-beta.15, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund json-server@1.0.0-beta.15
cat > db.json <<'JSON'
{ "products": [{ "id": 1, "slug": "mug", "colour": "red", "brand": { "name": "Acme" }, "size": { "width": 90 }, "price": 12 },
  { "id": 2, "slug": "cup", "brand": null, "price": null }, { "id": 3, "slug": "bowl", "brand": { "name": "Zeta" }, "price": 30 }, { "id": 4, "slug": "jar", "price": 40 }] }
JSON
port=$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
node node_modules/json-server/lib/bin.js --host 127.0.0.1 --port "$port" db.json > log.txt 2>&1 & server=$!
cat > run.js <<'JS'
const [base, ...paths] = process.argv.slice(2);
const ask = (path) => fetch(base + path).then((response) => response.json());
for (let tries = 0; tries < 100 && !(await ask("/products").catch(() => null)); tries++) await new Promise((done) => setTimeout(done, 200));
for (const path of paths) console.log(`${path} ${(await ask(`/products${path}`)).map(({ slug }) => slug).join(" ")}`.trimEnd());
JS
seen=$(node run.js "http://127.0.0.1:$port" '?brand.name=Acme' '?brand.name:ne=Acme' '?size.width:gt=100' '?colour=red' '?price:lte=20' '?brand.name=Acme&brand:ne=null')
echo "json-server $(node -p 'require("./node_modules/json-server/package.json").version')"
echo "seen: $seen"
[ "$seen" = '?brand.name=Acme mug cup jar
?brand.name:ne=Acme cup bowl jar
?size.width:gt=100 cup bowl jar
?colour=red mug
?price:lte=20 mug cup
?brand.name=Acme&brand:ne=null mug bowl' ]
