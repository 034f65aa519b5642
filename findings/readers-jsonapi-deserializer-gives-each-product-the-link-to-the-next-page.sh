#!/usr/bin/env bash
# The Deserializer of jsonapi-serializer gives each product of a list the links of the list: product.links is { next: "/products?page=2" }, and the product's own { self: "/products/1" } is gone; where the list has no links, products have none.
# Their own meta is kept, and the list's meta is dropped. One would guess that links of a record are the record's, as its meta is, and jsona gives it so.
# A program that follows product.links.self finds undefined, and one that goes through whatever links a product has asks for the next page once for each product.
# Version: jsonapi-serializer 3.6.9, jsona 1.14.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund jsonapi-serializer@3.6.9 jsona@1.14.0
cat > run.js <<'JS'
const { Deserializer } = require("jsonapi-serializer");
const { Jsona } = require("jsona");

const product = (id) => ({ type: "products", id, attributes: { title: "Mug" }, links: { self: `/products/${id}` }, meta: { stock: 5 } });
async function run() {
  for (const links of [{ next: "/products?page=2" }, undefined]) {
    const list = { data: [product("1"), product("2")], links };
    console.log(JSON.stringify(await new Deserializer().deserialize(list)));
    console.log(JSON.stringify(new Jsona().deserialize(list).map(({ id, links: own }) => [id, own])));
  }
}
run();
JS
seen=$(node run.js)
for name in jsonapi-serializer jsona; do echo "$name@$(node -p "JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version")"; done
echo "seen: $seen"
[ "$seen" = '[{"title":"Mug","id":"1","meta":{"stock":5},"links":{"next":"/products?page=2"}},{"title":"Mug","id":"2","meta":{"stock":5},"links":{"next":"/products?page=2"}}]
[["1",{"self":"/products/1"}],["2",{"self":"/products/2"}]]
[{"title":"Mug","id":"1","meta":{"stock":5}},{"title":"Mug","id":"2","meta":{"stock":5}}]
[["1",{"self":"/products/1"}],["2",{"self":"/products/2"}]]' ]
