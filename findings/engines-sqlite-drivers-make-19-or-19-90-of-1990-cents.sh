#!/usr/bin/env bash
# The parameter 1990 of a SQLite query is an INTEGER in sql.js and node-sqlite3-wasm, and a REAL in node:sqlite and libsql (and better-sqlite3): ? / 100 is 19 in the first two and 19.9 in the others, json_object('price_minor', ?) is 1990 or 1990.0, and 'EUR ' || ? "EUR 20" or "EUR 20.0".
# One would guess that all give a whole number as an integer, as JSON does, or all give JavaScript's only number as a REAL. A column with the type INTEGER makes both the same, so that reads and writes of tables agree; an expression, JSON and a CAST to text have no column.
# Tests in memory with the one build and production with the other are quite usual: a catalog's prices lose their cents, or its JSON says 1990.0, which strict readers refuse for a whole number, and a path '$[' || ? || ']' is an error. Write CAST(? AS INTEGER), or give 1990n.
# Version: sql.js@1.17.0, node-sqlite3-wasm@0.8.60, @libsql/client@0.18.0 and node:sqlite, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" sql.js@1.17.0 node-sqlite3-wasm@0.8.60 @libsql/client@0.18.0
cat > "$dir/cents.mjs" << 'END'
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@libsql/client";
import wasm from "node-sqlite3-wasm";
import initSqlJs from "sql.js";

const QUERY = "SELECT ? / 100 AS price, json_object('price_minor', ?) AS json, 'EUR ' || ? AS text, CAST(? AS INTEGER) / 100.0 AS by_cast";
const VALUES = [1990, 1990, 20, 1990];
const show = (name, { price, json, text, by_cast }) => console.log(`${name}: ${price}, ${json}, ${text}, by CAST ${by_cast}`);
const { Database } = await initSqlJs();
const statement = new Database().prepare(QUERY);
statement.bind(VALUES);
statement.step();
show("sql.js", statement.getAsObject());
show("node-sqlite3-wasm", new wasm.Database(":memory:").get(QUERY, VALUES));
show("node:sqlite", new DatabaseSync(":memory:").prepare(QUERY).get(...VALUES));
const { rows } = await createClient({ url: ":memory:" }).execute({ sql: QUERY, args: VALUES });
show("libsql", rows[0]);
END
seen="$(NODE_OPTIONS=--no-warnings node "$dir/cents.mjs")"
echo "sql.js 1.17.0, node-sqlite3-wasm 0.8.60, @libsql/client 0.18.0, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'sql.js: 19, {"price_minor":1990}, EUR 20, by CAST 19.9
node-sqlite3-wasm: 19, {"price_minor":1990}, EUR 20, by CAST 19.9
node:sqlite: 19.9, {"price_minor":1990.0}, EUR 20.0, by CAST 19.9
libsql: 19.9, {"price_minor":1990.0}, EUR 20.0, by CAST 19.9' ]
