#!/usr/bin/env bash
# RxDB keeps prices with multipleOf: 0.01 and an index: find({ price: 19.995 }) gives the product of 19.99, and { price: { $lt: 19.995 } } does not: an index makes a text of the bound, cut to two decimals, and
# what it gives is not compared again. Without the index both answers are right. One would guess that an index makes a query faster, and no other.
# A visitor's bound is a plain number: "below 19.995", which a page counted from a discount, loses the product of 19.99. Round such a bound up to the index's decimals before the query.
# Version: rxdb 17.6.0 with its memory storage and rxjs 7.8.2, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund rxdb@17.6.0 rxjs@7.8.2
cat > run.js <<'JS'
import { createRxDatabase } from "rxdb";
import { getRxStorageMemory } from "rxdb/plugins/storage-memory";

const price = { type: "number", minimum: 0, maximum: 1000, multipleOf: 0.01 };
const properties = { id: { type: "string", maxLength: 20 }, price };
const schema = { version: 0, primaryKey: "id", type: "object", properties, required: ["price"] };
const storage = getRxStorageMemory();
const database = await createRxDatabase({ name: "shop", storage, multiInstance: false });
await database.addCollections({ plain: { schema }, indexed: { schema: { ...schema, indexes: ["price"] } } });
for (const name of ["plain", "indexed"]) {
  await database[name].bulkInsert([19.9, 19.99, 20].map((price) => ({ id: String(price), price })));
  const find = async (price) => (await database[name].find({ selector: { price } }).exec()).map((product) => product.price).join() || "none";
  const answers = [await find(19.995), await find({ $lt: 19.995 }), await find({ $gt: 19.995 })];
  console.log(`${name}: ${answers.join(" | ")}`);
}
process.exit();
JS
seen=$(node run.js | paste -sd';')
echo "rxdb@17.6.0"
echo "seen: $seen"
[ "$seen" = 'plain: none | 19.9,19.99 | 20;indexed: 19.99 | 19.9 | 20' ]
