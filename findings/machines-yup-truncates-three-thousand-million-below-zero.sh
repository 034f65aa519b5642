#!/usr/bin/env bash
# yup's number().truncate(), and round("trunc"), make -1294967296 of 3000000000, and -823153237 of the barcode 4006381333931. Its documentation says that it strips the digits behind the decimal point, and one would guess Math.trunc,
# which round("floor") is close to: that gives 3000000000. truncate is "value | 0", which keeps 32 bits. The number is whole, so that integer() behind it finds no fault.
# A form or an importer that reads a catalog's prices in cents, sizes in bytes or barcodes by such a schema stores a negative one for whatever is above 2147483647. Plain integer(), or transform(Math.trunc).
# Version: yup 1.7.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund yup@1.7.1
cat > run.js <<'JS'
import { number } from "yup";

for (const value of [19.9, 3000000000, "4006381333931"]) {
  console.log(value, await number().truncate().integer().validate(value), number().round("trunc").cast(value), number().round("floor").cast(value));
}
JS
seen=$(node run.js)
echo "yup 1.7.1"
echo "seen: $seen"
[ "$seen" = '19.9 19 19 19
3000000000 -1294967296 -1294967296 3000000000
4006381333931 -823153237 -823153237 4006381333931' ]
