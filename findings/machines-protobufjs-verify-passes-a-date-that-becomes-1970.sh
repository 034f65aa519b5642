#!/usr/bin/env bash
# Type.verify() of protobufjs says null, nothing wrong, to {changed: new Date()} for a google.protobuf.Timestamp and to {stock: 3000000000} for an int32; what is then written is the moment 0 of 1970 and the stock -1294967296. The same verify()
# refuses {stock: "5"}, and a field by the name that the .proto file has, sale_price, is dropped without a word, because it is salePrice here. One would guess that what passes is read back as it was, for that is what verify() is called for.
# A feed of products has no time of change, a negative stock and no sale, and the check before the writing was green. Give {seconds, nanos}; look at ranges yourself; parse with keepCase: true if the records have the .proto's names.
# Version: protobufjs 8.8.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund protobufjs@8.8.1
cat > run.cjs <<'JS'
const protobuf = require("protobufjs");
const { root } = protobuf.parse(`
  syntax = "proto3";
  import "google/protobuf/timestamp.proto";
  message Product {
    int32 stock = 1;
    optional double sale_price = 2;
    google.protobuf.Timestamp changed = 3;
  }`);
root.addJSON(protobuf.common.get("google/protobuf/timestamp.proto").nested);
const Product = root.lookupType("Product");

const at = new Date("2026-01-02T03:04:05Z");
const products = [{ changed: at }, { changed: { seconds: at.getTime() / 1000 } }, { stock: 3_000_000_000 }, { stock: "5" }, { sale_price: 9.5 }, { salePrice: 9.5 }];
for (const product of products) {
  const read = Product.decode(Product.encode(Product.fromObject(product)).finish());
  console.log(`${JSON.stringify(product)}: verify ${Product.verify(product)}, read ${JSON.stringify(read)}`);
}
JS
seen=$(node run.cjs)
echo "protobufjs@8.8.1"
echo "seen: $seen"
[ "$seen" = '{"changed":"2026-01-02T03:04:05.000Z"}: verify null, read {"changed":{}}
{"changed":{"seconds":1767323045}}: verify null, read {"changed":{"seconds":"1767323045"}}
{"stock":3000000000}: verify null, read {"stock":-1294967296}
{"stock":"5"}: verify stock: integer expected, read {"stock":5}
{"sale_price":9.5}: verify null, read {}
{"salePrice":9.5}: verify null, read {"salePrice":9.5}' ]
