#!/usr/bin/env bash
# Bookshelf: const found = Product.where("active", true); await found.count() says 2, and await found.fetchAll() then gives all 4 products, with the hidden ones. In the other order count() says 4.
# One would guess that a query means the same until it is changed, as Knex's does, on which Bookshelf is built, or that it can be used once and is refused the second time. Each call takes the conditions with it and leaves an empty query.
# A list that is counted for its number of pages and then read shows drafts and withdrawn products; fetchPage() counts by a copy and is right. Make the query again for each call.
# Version: bookshelf 1.2.0, knex 3.1.0, pg 8.16.3, PostgreSQL 15.18 (Debian's package postgresql), seen on Node 24.
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1) || { echo "needs Debian's package postgresql"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"
as() { if [ "$(id -u)" = 0 ]; then su postgres -c "$1"; else bash -c "$1"; fi; }
trap 'as "$bin/pg_ctl -D $dir/pg/data -m immediate stop" > /dev/null 2>&1 || true; rm -rf "$dir"' EXIT
mkdir "$dir/pg"; [ "$(id -u)" != 0 ] || chown postgres "$dir/pg"
as "$bin/initdb -D $dir/pg/data -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg/data -o \"-c listen_addresses= -c unix_socket_directories=$dir/pg -c fsync=off\" -l $dir/pg/log -w start" > /dev/null
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps bookshelf@1.2.0 knex@3.1.0 pg@8.16.3
cat > run.js <<'JS'
import { readFileSync } from "node:fs";
import Bookshelf from "bookshelf";
import Knex from "knex";

const knex = Knex({ client: "pg", connection: { host: process.argv[2], user: "postgres", database: "postgres" } });
await knex.schema.createTable("products", (table) => {
  table.increments("id");
  table.boolean("active");
});
await knex("products").insert([{ active: true }, { active: true }, { active: false }, { active: false }]);
const Product = Bookshelf(knex).model("Product", { tableName: "products" });
console.log(`bookshelf ${JSON.parse(readFileSync("node_modules/bookshelf/package.json", "utf8")).version}`);
const counted = Product.where("active", true);
const read = Product.where("active", true);
const plain = knex("products").where("active", true);
const seen = {
  "count(), then fetchAll()": [Number(await counted.count()), (await counted.fetchAll()).length],
  "fetchAll(), then count()": [(await read.fetchAll()).length, Number(await read.count())],
  "fetchPage()": await Product.where("active", true).fetchPage({ pageSize: 9 }).then((page) => [page.length, page.pagination.rowCount]),
  "Knex: twice": [(await plain).length, (await plain).length],
};
for (const [way, numbers] of Object.entries(seen)) console.log(`${way}: ${numbers.join(", ")}`);
await knex.destroy();
process.exit(JSON.stringify(Object.values(seen)) === "[[2,4],[2,4],[2,2],[2,2]]" ? 0 : 1);
JS
node run.js "$dir/pg"
