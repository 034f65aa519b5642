#!/usr/bin/env bash
# Type.forValue() of avsc, which makes an Avro type from samples, takes "float", Avro's number of 32 bits, for each number that is not whole and for each whole one above 2^31: the price 19.9 is read back as 19.899999618530273 and the id
# 12345678901 as 12345678848, without an error at writing. One would guess "double" and "long": it is JavaScript's own number that was given, and a type that is made of a value should hold it.
# A catalog's records, written to an Avro file for a data warehouse by their samples, have other prices and other ids there; of a thousand such ids in a row one is left.
# Version: avsc 5.7.9, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund avsc@5.7.9
cat > run.mjs <<'JS'
import avro from "avsc";

const products = [{ id: 12345678901, price: 19.9, stock: 5 }, { id: 12345678902, price: 20, stock: 0 }];
const type = avro.Type.forValue(products);
const fields = type.itemsType.fields.map((field) => `${field.name} ${field.type.typeName}`);
console.log(`${fields.join(", ")}; read back: ${JSON.stringify(type.fromBuffer(type.toBuffer(products)))}`);
JS
seen=$(node run.mjs)
echo "avsc@5.7.9"
echo "seen: $seen"
[ "$seen" = 'id float, price float, stock int; read back: [{"id":12345678848,"price":19.899999618530273,"stock":5},{"id":12345678848,"price":20,"stock":0}]' ]
