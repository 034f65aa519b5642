#!/usr/bin/env bash
# Sutando, an ORM after Laravel's Eloquent: a model whose price has the cast decimal:2 shows 20 for the stored 19.90, 0 for 0.49 and 3 for 2.50, with any number behind the colon; and a json
# column of PostgreSQL with the cast json is null. The columns hold what was saved, and a model without casts shows it. One would guess two digits, which Eloquent gives for this very word,
# and the object. (The cast drops the digits that were asked for; the driver has parsed the JSON already, and the error of parsing it again becomes null.)
# An API that answers with models says rounded prices and no specifications, without an error, while reports in SQL are right: give prices no cast, or float, and check answers against the table.
# Version: sutando 1.7.4, knex 3.1.0, pg 8.16.3, PostgreSQL 15.18 (Debian's package postgresql), seen on Node 24.
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1) || { echo "needs Debian's package postgresql"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"
as() { if [ "$(id -u)" = 0 ]; then su postgres -c "$1"; else bash -c "$1"; fi; }
trap 'as "$bin/pg_ctl -D $dir/pg/data -m immediate stop" > /dev/null 2>&1 || true; rm -rf "$dir"' EXIT
mkdir "$dir/pg"; [ "$(id -u)" != 0 ] || chown postgres "$dir/pg"
as "$bin/initdb -D $dir/pg/data -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg/data -o \"-c listen_addresses= -c unix_socket_directories=$dir/pg -c fsync=off\" -l $dir/pg/log -w start" > /dev/null
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps sutando@1.7.4 knex@3.1.0 pg@8.16.3
cat > run.js <<'JS'
import { readFileSync } from "node:fs";
import { Model, sutando } from "sutando";

sutando.addConnection({ client: "pg", connection: { host: process.argv[2], user: "postgres", database: "postgres" } });
await sutando.schema().createTable("products", (table) => {
  table.increments("id");
  table.decimal("price", 10, 2);
  table.json("specs");
  table.timestamps();
});
class Product extends Model {
  casts = { price: "decimal:2", specs: "json" };
}
class Plain extends Model {
  table = "products";
}
for (const price of ["19.90", "0.49", "2.50"]) {
  const product = new Product();
  product.price = price;
  product.specs = { size: "L" };
  await product.save();
}
const shown = async (model) => (await model.query().orderBy("id").get()).toData().map(({ price, specs }) => `${price} ${JSON.stringify(specs)}`).join(", ");
console.log(`sutando ${JSON.parse(readFileSync("node_modules/sutando/package.json", "utf8")).version}`);
const lines = [`without casts: ${await shown(Plain)}`, `with casts: ${await shown(Product)}`];
console.log(lines.join("\n"));
const right = lines[0].endsWith('19.90 {"size":"L"}, 0.49 {"size":"L"}, 2.50 {"size":"L"}') && lines[1].endsWith("20 null, 0 null, 3 null");
process.exit(right ? 0 : 1);
JS
node run.js "$dir/pg"
