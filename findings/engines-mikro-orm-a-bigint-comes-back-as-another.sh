#!/usr/bin/env bash
# MikroORM writes 9007199254740993n into a property of type bigint in SQLite and reads 9007199254740992n: the driver gives a JavaScript number, which is rounded, and the ORM makes a bigint of that.
# One would guess that a type named bigint has its digits, or that the ORM asks the driver for them, as SQLite's drivers can give.
# A shop's ids of 17 digits are one less in the catalog, with a type that says the contrary.
# Version: @mikro-orm/sqlite 7.2.2, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @mikro-orm/sqlite@7.2.2 node@24.21.0
export PATH="$dir/node_modules/.bin:$PATH"
cat > run.js <<'JS'
import { defineEntity, MikroORM, p } from "@mikro-orm/sqlite";

const Product = defineEntity({ name: "Product", properties: { id: p.integer().primary(), number: p.bigint() } });
const orm = await MikroORM.init({ dbName: ":memory:", entities: [Product] });
await orm.schema.create();
const writing = orm.em.fork();
writing.create(Product, { id: 1, number: 9007199254740993n });
await writing.flush();
const [{ text }] = await orm.em.getConnection().execute("select cast(number as text) as text from product");
const { number } = await orm.em.fork().findOne(Product, 1);
console.log("written", text, "read", typeof number, String(number));
await orm.close();
JS
seen=$(node run.js)
echo "@mikro-orm/sqlite $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/@mikro-orm/sqlite/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'written 9007199254740993 read bigint 9007199254740992' ]
