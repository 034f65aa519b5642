#!/usr/bin/env bash
# SELECT p.*, c.* FROM product AS p JOIN category AS c gives two columns called id and two called name. In libsql's row, row.id is the product's, the first; in node:sqlite, sql.js, node-sqlite3-wasm and better-sqlite3 it is the category's, the last.
# One would guess that a fork of SQLite with a driver of its own makes the row like the others, or refuses the second name; each says nothing. In libsql row.length and row[4] still have both.
# A catalog that moves to libsql gives each product its own name as its category's, or, the other way, answers /products/7 with category 7's id; with equal ids in a test's first rows nobody sees it. Name the columns: p.id AS id, c.name AS category.
# Version: @libsql/client@0.18.0, sql.js@1.17.0 and node-sqlite3-wasm@0.8.60, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" @libsql/client@0.18.0 sql.js@1.17.0 node-sqlite3-wasm@0.8.60
cat > "$dir/join.mjs" << 'END'
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@libsql/client";
import wasm from "node-sqlite3-wasm";
import initSqlJs from "sql.js";

const QUERY = "SELECT p.*, c.* FROM (SELECT 7 AS id, 'Mug' AS name, 2 AS category) AS p JOIN (SELECT 2 AS id, 'Kitchen' AS name) AS c ON c.id = p.category";
const show = (name, { id, name: title, category }) => console.log(`${name}:`, JSON.stringify({ id, name: title, category }));
show("node:sqlite", new DatabaseSync(":memory:").prepare(QUERY).get());
const { Database } = await initSqlJs();
const statement = new Database().prepare(QUERY);
statement.step();
show("sql.js", statement.getAsObject());
show("node-sqlite3-wasm", new wasm.Database(":memory:").get(QUERY));
const { rows } = await createClient({ url: ":memory:" }).execute(QUERY);
show("libsql", rows[0]);
console.log("libsql's places:", JSON.stringify(Array.from(rows[0])));
END
seen="$(NODE_OPTIONS=--no-warnings node "$dir/join.mjs")"
echo "@libsql/client 0.18.0"
echo "seen: $seen"
[ "$seen" = 'node:sqlite: {"id":2,"name":"Kitchen","category":2}
sql.js: {"id":2,"name":"Kitchen","category":2}
node-sqlite3-wasm: {"id":2,"name":"Kitchen","category":2}
libsql: {"id":7,"name":"Mug","category":2}
libsql'"'"'s places: [7,"Mug",2,2,"Kitchen"]' ]
