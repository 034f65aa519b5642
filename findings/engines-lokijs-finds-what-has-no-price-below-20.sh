#!/usr/bin/env bash
# LokiJS takes a price of null and a missing one for smaller than any number: { price: { $lt: 20 } } finds the products without a price, which sift
# and mingo, with the same query language, leave out as MongoDB does. And { price: null } finds only null in LokiJS, a missing price too in the others.
# One would guess one answer to one query. A catalog filtered in the page shows "below 20" products that cannot be bought.
# Version: lokijs 1.5.12, sift 17.1.4, mingo 7.2.7, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund lokijs@1.5.12 sift@17.1.4 mingo@7.2.7
cat > run.cjs <<'JS'
const Loki = require("lokijs");
const { Query } = require("mingo");
const sift = require("sift").default;

const products = [{ id: "mug", price: 10 }, { id: "null", price: null }, { id: "missing" }, { id: "lamp", price: 30 }];
const collection = new Loki("shop").addCollection("products");
for (const product of products) collection.insert({ ...product });
for (const query of [{ price: { $lt: 20 } }, { price: null }]) {
  const found = { LokiJS: collection.find(query), sift: products.filter(sift(query)), mingo: new Query(query).find(products).all() };
  for (const [name, list] of Object.entries(found)) console.log(`${JSON.stringify(query)} ${name}: ${list.map(({ id }) => id).join()}`);
}
JS
seen=$(node run.cjs)
echo "lokijs@1.5.12 sift@17.1.4 mingo@7.2.7"
echo "seen: $seen"
[ "$seen" = '{"price":{"$lt":20}} LokiJS: mug,null,missing
{"price":{"$lt":20}} sift: mug
{"price":{"$lt":20}} mingo: mug
{"price":null} LokiJS: null
{"price":null} sift: null,missing
{"price":null} mingo: null,missing' ]
