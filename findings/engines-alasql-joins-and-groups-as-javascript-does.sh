#!/usr/bin/env bash
# AlaSQL, SQL over lists in a page, joins a product without a brand to every brand without an id (null = null), and groups the text "null" with null and "1" with 1. One would guess SQL's rules, as
# SQLite has them: null equals nothing, and a group has one value.
# Numbers that a page shows beside a catalog's are others than those its database counts.
# Version: alasql 4.19.1 and, for SQLite, better-sqlite3 13.2.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund alasql@4.19.1 better-sqlite3@13.2.0 node@24.21.0
export PATH="$dir/node_modules/.bin:$PATH"
cat > run.js <<'JS'
const alasql = require("alasql");
const Database = require("better-sqlite3");

const products = [
  { slug: "mug", brand: 1, label: "null" },
  { slug: "gift", brand: null, label: null },
];
const brands = [{ id: 1 }, { id: null }];
const sqlite = new Database(":memory:");
sqlite.exec("CREATE TABLE product (slug, brand, label); CREATE TABLE brand (id)");
for (const product of products) sqlite.prepare("INSERT INTO product VALUES (?, ?, ?)").run(...Object.values(product));
for (const { id } of brands) sqlite.prepare("INSERT INTO brand VALUES (?)").run(id);

const join = (product, brand) => `SELECT product.slug FROM ${product} AS product JOIN ${brand} AS brand ON product.brand = brand.id`;
const group = (product) => `SELECT label FROM ${product} GROUP BY label`;
console.log("AlaSQL:", alasql(join("?", "?"), [products, brands]).length, "joined,", alasql(group("?"), [products]).length, "groups");
console.log("SQLite:", sqlite.prepare(join("product", "brand")).all().length, "joined,", sqlite.prepare(group("product")).all().length, "groups");
JS
seen=$(node run.js)
echo "alasql $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/alasql/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'AlaSQL: 2 joined, 1 groups
SQLite: 1 joined, 2 groups' ]
