#!/usr/bin/env bash
# hyparquet-writer, told no types, makes INT32 of a column whose numbers are all whole: an id of 3000000000 or a barcode such as 4006381333931 is the error "parquet expected int32 value". With one decimal number
# among them the same ids are DOUBLE and go through. One would guess that it looks at how large the numbers are, as it looks at whether they are whole, or takes INT64 or DOUBLE.
# The price of a shop is INT32 while all prices are whole and DOUBLE after the first 19.90, so two files of one table have two schemas.
# A catalog's JSON as Parquet: name the type of each column ("DOUBLE" for prices, "INT64" with BigInts for ids).
# Version: hyparquet-writer 0.17.0, hyparquet 1.33.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund hyparquet-writer@0.17.0 hyparquet@1.33.0
cat > run.js <<'JS'
import { parquetMetadata } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";

function type(data) {
  try {
    return parquetMetadata(parquetWriteBuffer({ columnData: [{ name: "value", data }] })).schema[1].type;
  } catch (error) {
    return error.message;
  }
}
for (const data of [[20, 30], [20, 19.9], [4006381333931, 1], [4006381333931, 1.5]]) console.log(`${data}: ${type(data)}`);
JS
seen=$(node run.js | paste -sd';')
echo "hyparquet-writer@0.17.0"
echo "seen: $seen"
[ "$seen" = '20,30: INT32;20,19.9: DOUBLE;4006381333931,1: parquet expected int32 value, got 4006381333931;4006381333931,1.5: DOUBLE' ]
