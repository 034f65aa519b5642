#!/usr/bin/env bash
# handlebars-helpers: {{#each (sortBy products "price")}} sorts the list of the data itself, so a later list of the page, which should be in the shop's order, is by price too; so does withSort. forEach writes "index", "total", "isFirst" and "isLast" into
# each record, where a product's own "index" or "total" is lost, and they are in the JSON that the page prints next. And of a list of numbers, [100, 9, 20], sortBy and sort make 100, 20, 9, while sortBy with "price" has numbers
# in their order. One would guess that a template helper reads.
# One process renders all pages from one catalog: which pages came before decides what is first on this one.
# Version: handlebars-helpers 0.10.0 with handlebars 4.7.8, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund handlebars@4.7.8 handlebars-helpers@0.10.0
cat > run.js <<'JS'
const handlebars = require("handlebars").create();
require("handlebars-helpers")({ handlebars });
const render = (template, data) => handlebars.compile(template, { noEscape: true })(data);
const catalog = () => ({ prices: [100, 9, 20], products: [{ id: "a", price: 100, total: 3 }, { id: "b", price: 9, total: 5 }] });
let data = catalog();
console.log("sortBy:", render('{{#each (sortBy products "price")}}{{id}} {{/each}}', data), "then", render("{{#each products}}{{id}} {{/each}}", data));
data = catalog();
console.log("forEach:", render("{{#forEach products}}{{id}} {{/forEach}}", data), "then", render("{{JSONstringify products}}", data));
console.log("numbers:", render("{{sortBy prices}}; {{sort prices}}", catalog()));
JS
seen=$(node run.js 2> /dev/null)
echo "handlebars-helpers $(node -p 'require("handlebars-helpers/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'sortBy: b a  then b a 
forEach: a b  then [{"id":"a","price":100,"total":2,"index":1,"isFirst":true,"isLast":false},{"id":"b","price":9,"total":2,"index":2,"isFirst":false,"isLast":true}]
numbers: 100,20,9; 100,20,9' ]
