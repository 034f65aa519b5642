#!/usr/bin/env bash
# Drizzle's relational query reads a row of its own and the same row inside its parent differently: the numeric price "19.90" is "19.9" when nested, a
# bigint id above 2^53 is another id, and a timestamp as text gets a T. Nested rows come as JSON and lose their types before the column maps them. One
# would guess one value per column. Variants that a catalog reads inside their product have ids that no table has.
# Version: drizzle-orm 0.45.4, @electric-sql/pglite 0.5.17, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps drizzle-orm@0.45.4 @electric-sql/pglite@0.5.17
cat > run.js <<'JS'
import { PGlite } from "@electric-sql/pglite";
import { relations } from "drizzle-orm";
import { bigint, numeric, pgTable, timestamp } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/pglite";

const product = pgTable("product", { id: bigint({ mode: "bigint" }).primaryKey() });
const variant = pgTable("variant", {
  id: bigint({ mode: "bigint" }).primaryKey(),
  product_id: bigint({ mode: "bigint" }),
  price: numeric({ precision: 10, scale: 2 }),
  updated_at: timestamp({ mode: "string" }),
});
const ofProduct = relations(product, ({ many }) => ({ variants: many(variant) }));
const ofVariant = relations(variant, ({ one }) => ({ product: one(product, { fields: [variant.product_id], references: [product.id] }) }));

const client = new PGlite();
await client.exec(`
  CREATE TABLE product (id bigint PRIMARY KEY);
  CREATE TABLE variant (id bigint PRIMARY KEY, product_id bigint, price numeric(10, 2), updated_at timestamp);
  INSERT INTO product VALUES (1);
  INSERT INTO variant VALUES (9007199254740995, 1, 19.90, '2026-11-28 10:00')`);
const { query } = drizzle(client, { schema: { product, variant, ofProduct, ofVariant } });
const show = ({ id, price, updated_at }) => `${id} ${price} ${updated_at}`;
console.log(`alone: ${show(await query.variant.findFirst())}`);
console.log(`nested: ${show((await query.product.findFirst({ with: { variants: true } })).variants[0])}`);
JS
seen=$(node run.js)
echo "drizzle-orm@0.45.4 @electric-sql/pglite@0.5.17"
echo "seen: $seen"
[ "$seen" = 'alone: 9007199254740995 19.90 2026-11-28 10:00:00
nested: 9007199254740996 19.9 2026-11-28T10:00:00' ]
