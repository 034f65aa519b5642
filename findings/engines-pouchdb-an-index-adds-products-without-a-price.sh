#!/usr/bin/env bash
# PouchDB's find answers { price: { $lt: 20 } } otherwise once there is an index on price: a product whose price is missing is found through the index
# and not without it (null is found both times, as null sorts first). One would guess that an index changes only the speed. A shop that
# keeps its catalog in the browser shows more products "below 20" after a release that only made it faster.
# Version: pouchdb-core 9.0.0, pouchdb-find 9.0.0, pouchdb-adapter-memory 9.0.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund pouchdb-core@9.0.0 pouchdb-find@9.0.0 pouchdb-adapter-memory@9.0.0
cat > run.js <<'JS'
import memory from "pouchdb-adapter-memory";
import PouchDB from "pouchdb-core";
import find from "pouchdb-find";

PouchDB.plugin(memory).plugin(find);
const shop = new PouchDB("shop", { adapter: "memory" });
await shop.bulkDocs([{ _id: "mug", price: 10 }, { _id: "null", price: null }, { _id: "missing" }, { _id: "lamp", price: 30 }]);
const below = async () => (await shop.find({ selector: { price: { $lt: 20 } } })).docs.map(({ _id }) => _id).sort().join();
console.log(`without an index: ${await below()}`);
await shop.createIndex({ index: { fields: ["price"] } });
console.log(`with an index: ${await below()}`);
JS
seen=$(node run.js 2> /dev/null)
echo "pouchdb-core@9.0.0 pouchdb-find@9.0.0 pouchdb-adapter-memory@9.0.0"
echo "seen: $seen"
[ "$seen" = 'without an index: mug,null
with an index: missing,mug,null' ]
