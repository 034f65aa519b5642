#!/usr/bin/env bash
# Objection's update() writes the defaults of the model's jsonSchema over what is stored. A product with active false and stock 0 gets a new title by update({ title }): its row says active true and stock 1 afterwards. patch({ title })
# changes the title alone, and upsertGraph({ id, title }) too. One would guess that an UPDATE writes the columns that it was given, as it does in a schema without defaults: price and specs stay. A default is for rows that are made.
# (update() wants a whole record by its pages, and its check says so only where the schema has "required", which columns with a default need not be.)
# So the correction of a typing error makes a hidden product public, in stock, at its default price: use patch() for everything but whole records, or keep defaults in the database.
# Version: objection 3.1.5, knex 3.1.0, pg 8.16.3, PostgreSQL 15.18 (Debian's package postgresql), seen on Node 24.
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1) || { echo "needs Debian's package postgresql"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"
as() { if [ "$(id -u)" = 0 ]; then su postgres -c "$1"; else bash -c "$1"; fi; }
trap 'as "$bin/pg_ctl -D $dir/pg/data -m immediate stop" > /dev/null 2>&1 || true; rm -rf "$dir"' EXIT
mkdir "$dir/pg"; [ "$(id -u)" != 0 ] || chown postgres "$dir/pg"
as "$bin/initdb -D $dir/pg/data -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg/data -o \"-c listen_addresses= -c unix_socket_directories=$dir/pg -c fsync=off\" -l $dir/pg/log -w start" > /dev/null
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts objection@3.1.5 knex@3.1.0 pg@8.16.3
cat > run.js <<'JS'
import { readFileSync } from "node:fs";
import Knex from "knex";
import { Model } from "objection";

const knex = Knex({ client: "pg", connection: { host: process.argv[2], user: "postgres", database: "postgres" } });
Model.knex(knex);
await knex.schema.createTable("products", (table) => {
  table.increments("id");
  table.text("title");
  table.decimal("price", 10, 2);
  table.integer("stock");
  table.boolean("active");
});
class Product extends Model {
  static tableName = "products";
  static jsonSchema = {
    type: "object",
    required: ["title"],
    properties: {
      title: { type: "string" },
      price: { type: "number" },
      stock: { type: "integer", default: 1 },
      active: { type: "boolean", default: true },
    },
  };
}
console.log(`objection ${JSON.parse(readFileSync("node_modules/objection/package.json", "utf8")).version}`);
const ways = {
  patch: (id) => Product.query().findById(id).patch({ title: "Mug" }),
  upsertGraph: (id) => Product.query().upsertGraph({ id, title: "Mug" }),
  update: (id) => Product.query().findById(id).update({ title: "Mug" }),
};
const seen = [];
for (const [name, change] of Object.entries(ways)) {
  const { id } = await Product.query().insert({ title: "Mgu", price: 19.9, stock: 0, active: false });
  await change(id);
  const { title, price, stock, active } = await Product.query().findById(id);
  seen.push(`${name}: ${title}, ${price}, stock ${stock}, active ${active}`);
}
console.log(seen.join("\n"));
await knex.destroy();
const same = "Mug, 19.90, stock 0, active false";
process.exit(seen.join("; ") === `patch: ${same}; upsertGraph: ${same}; update: Mug, 19.90, stock 1, active true` ? 0 : 1);
JS
node run.js "$dir/pg"
