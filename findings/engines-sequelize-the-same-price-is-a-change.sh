#!/usr/bin/env bash
# Sequelize takes the number 19.9 for a change of the DECIMAL price "19.90", 5 for one of the BIGINT stock "5", and the text "5" for one of the INTEGER rank 5: save() writes the row and a
# new updatedAt. "true" for a BOOLEAN, a text for a DATE and equal JSON are no change. One would guess that values are compared as their column's type. An import
# that writes the same prices marks every product as changed, and each build, sitemap and feed by updated_at sends them all again.
# Version: sequelize 6.37.8, pg 8.23.1, PostgreSQL 15.18 (Debian's package postgresql), seen on Node 24.
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1) || { echo "needs Debian's package postgresql"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"
as() { if [ "$(id -u)" = 0 ]; then su postgres -c "$1"; else bash -c "$1"; fi; }
trap 'as "$bin/pg_ctl -D $dir/pg/data -m immediate stop" > /dev/null 2>&1 || true; rm -rf "$dir"' EXIT
mkdir "$dir/pg"; [ "$(id -u)" != 0 ] || chown postgres "$dir/pg"
as "$bin/initdb -D $dir/pg/data -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg/data -o \"-c listen_addresses= -c unix_socket_directories=$dir/pg -c fsync=off\" -l $dir/pg/log -w start" > /dev/null
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund sequelize@6.37.8 pg@8.23.1
cat > run.js <<'JS'
import { DataTypes, Sequelize } from "sequelize";

const { DECIMAL, BIGINT, INTEGER, BOOLEAN, DATE, JSONB } = DataTypes;
const store = new Sequelize("postgres", "postgres", "", { host: process.argv[2], dialect: "postgres", logging: false });
const Product = store.define("product", { price: DECIMAL(10, 2), stock: BIGINT, rank: INTEGER, active: BOOLEAN, until: DATE, seo: JSONB });
await store.sync();
await Product.create({ id: 1, price: 19.9, stock: 5, rank: 5, active: true, until: "2026-11-28T10:00:00Z", seo: { a: 1, b: 2 } });
const same = [["price", 19.9], ["price", "19.90"], ["stock", 5], ["rank", "5"], ["active", "true"], ["until", "2026-11-28T10:00:00Z"], ["seo", { b: 2, a: 1 }]];
for (const [column, value] of same) {
  await store.query(`UPDATE products SET "updatedAt" = '2026-01-01 00:00+00'`);
  const product = await Product.findByPk(1);
  product[column] = value;
  await product.save();
  console.log(`${column} = ${JSON.stringify(value)}: ${(await Product.findByPk(1)).updatedAt.toISOString().startsWith("2026-01-01") ? "no change" : "changed"}`);
}
await store.close();
JS
seen=$(node run.js "$dir/pg")
echo "sequelize@6.37.8 pg@8.23.1"
echo "seen: $seen"
[ "$seen" = 'price = 19.9: changed
price = "19.90": no change
stock = 5: changed
rank = "5": changed
active = "true": no change
until = "2026-11-28T10:00:00Z": no change
seo = {"b":2,"a":1}: no change' ]
