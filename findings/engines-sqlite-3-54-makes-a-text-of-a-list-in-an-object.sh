#!/usr/bin/env bash
# json_object('sizes', (SELECT json_group_array(size) …)) makes {"sizes":["S","L"]} in SQLite 3.40 and 3.53, and {"sizes":"[\"S\",\"L\"]"}, a text, in SQLite 3.54: the value of a scalar subquery is no longer taken for JSON. json((SELECT …))
# around it gives the list in all of them, and (SELECT json_extract(doc, '$.tags')) is now a text, too. One would guess that a statement that nests a product's variants means the same after an update of the driver.
# Node 24's own node:sqlite has 3.53, sql.js 1.17 (as better-sqlite3 13.2) has 3.54: two programs give a catalog's readers two types for one field, from one file and one statement, without an error.
# Version: sql.js@1.17.0 (SQLite 3.54.1) and node:sqlite of Node 24.21.0 (SQLite 3.53.4).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund sql.js@1.17.0 node@24.21.0
export PATH="$dir/node_modules/.bin:$PATH"
cat > nest.js <<'JS'
import { DatabaseSync } from "node:sqlite";
import init from "sql.js";

const tables = `CREATE TABLE product (id INTEGER PRIMARY KEY, doc TEXT); CREATE TABLE variant (product_id INTEGER, size TEXT);
  INSERT INTO product VALUES (1, '{"tags":["new"]}'); INSERT INTO variant VALUES (1, 'S'), (1, 'L')`;
const sizes = "(SELECT json_group_array(size) FROM variant WHERE product_id = p.id)";
const statements = {
  "a list": `json_object('sizes', ${sizes})`,
  "json() of it": `json_object('sizes', json(${sizes}))`,
  "a part of a document": "json_object('tags', (SELECT json_extract(p.doc, '$.tags')))",
};
const { Database } = await init();
const wasm = new Database();
wasm.run(tables);
const own = new DatabaseSync(":memory:");
own.exec(tables);
const engines = {
  "node:sqlite": (sql) => Object.values(own.prepare(sql).get())[0],
  "sql.js": (sql) => wasm.exec(sql)[0].values[0][0],
};
for (const [engine, ask] of Object.entries(engines)) {
  console.log(`${engine} has SQLite ${ask("SELECT sqlite_version()")}`);
  for (const [what, sql] of Object.entries(statements)) console.log(`seen: ${what}:`, ask(`SELECT ${sql} FROM product AS p`));
}
JS
out=$(node --no-warnings nest.js)
echo "$out"
[ "$(grep '^seen' <<< "$out")" = 'seen: a list: {"sizes":["S","L"]}
seen: json() of it: {"sizes":["S","L"]}
seen: a part of a document: {"tags":["new"]}
seen: a list: {"sizes":"[\"S\",\"L\"]"}
seen: json() of it: {"sizes":["S","L"]}
seen: a part of a document: {"tags":"[\"new\"]"}' ]
