#!/usr/bin/env bash
# to-json-schema makes of two products with the same fields an items schema that lists them, and of two of which one lacks a field, has null in it, or has the title "12" beside "Mug", one without any field: { "type": "object" }. One would guess
# the fields of both, as genson-js gives them, with the differing one optional or of two types; the default mode is called "all", and 1 beside 1.5 does become a number. "12" has the format utc-millisec, and so another type than "Mug".
# A schema made of a real catalog lets everything pass, and a type or form made of it is empty, while the one made of the first two products in a test was right.
# Version: to-json-schema 0.2.5, genson-js 0.0.8, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund to-json-schema@0.2.5 genson-js@0.0.8
cat > run.js <<'JS'
const toJsonSchema = require("to-json-schema");
const { createSchema } = require("genson-js");

const fields = ({ items }) => Object.entries(items.properties ?? {}).map(([name, { type }]) => `${name}:${type}`).join(" ") || "nothing";
for (const second of [
  { title: "Cup", price: 20.5 },
  { title: "Cup", price: 20 },
  { title: "Cup", price: null },
  { title: "Cup" },
  { title: "12", price: 20.5 },
]) {
  const products = [{ title: "Mug", price: 19.9 }, second];
  console.log(JSON.stringify(second), fields(toJsonSchema(products)), "|", fields(createSchema(products)));
}
JS
seen=$(node run.js)
for name in to-json-schema genson-js; do echo "$name@$(node -p "JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version")"; done
echo "seen: $seen"
[ "$seen" = '{"title":"Cup","price":20.5} title:string price:number | title:string price:number
{"title":"Cup","price":20} title:string price:number | title:string price:number
{"title":"Cup","price":null} nothing | title:string price:null,number
{"title":"Cup"} nothing | title:string price:number
{"title":"12","price":20.5} nothing | title:string price:number' ]
