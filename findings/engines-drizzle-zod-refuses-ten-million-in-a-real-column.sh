#!/usr/bin/env bash
# drizzle-zod's createSelectSchema, which checks rows that were read, refuses the number 10,000,000 in a column real of PostgreSQL or float of MySQL: "Too big: expected number to be <=8388607". It takes a float of 32 bits for a whole number
# of 24. The column itself holds up to 3.4e38 and says ten million exactly. drizzle-valibot has the same bounds. One would guess no bound at all, or that of the type.
# Prices in rupiah or won, counts of views and sizes in bytes pass the bound; the row is in the database, was written through the same table, and the list that holds it is an error from that day on.
# Version: drizzle-zod 0.8.3 with zod 4.6.7, drizzle-valibot 0.4.2 with valibot 1.5.0, drizzle-orm 0.45.4, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps drizzle-zod@0.8.3 zod@4.6.7 drizzle-valibot@0.4.2 valibot@1.5.0 drizzle-orm@0.45.4
cat > run.js <<'JS'
import { float, mysqlTable } from "drizzle-orm/mysql-core";
import { pgTable, real } from "drizzle-orm/pg-core";
import { createSelectSchema as valibotOf } from "drizzle-valibot";
import { createSelectSchema as zodOf } from "drizzle-zod";
import { safeParse } from "valibot";

const tables = { real: pgTable("products", { price: real().notNull() }), float: mysqlTable("products", { price: float().notNull() }) };
for (const [name, table] of Object.entries(tables)) {
  for (const price of [8_388_607, 10_000_000]) {
    const row = { price };
    console.log(`${name} ${price}: stored ${Math.fround(price)}, zod ${zodOf(table).safeParse(row).success}, valibot ${safeParse(valibotOf(table), row).success}`);
  }
}
JS
seen=$(node run.js)
echo "drizzle-zod 0.8.3, drizzle-valibot 0.4.2"
echo "seen: $seen"
[ "$seen" = 'real 8388607: stored 8388607, zod true, valibot true
real 10000000: stored 10000000, zod false, valibot false
float 8388607: stored 8388607, zod true, valibot true
float 10000000: stored 10000000, zod false, valibot false' ]
