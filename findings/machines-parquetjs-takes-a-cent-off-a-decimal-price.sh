#!/usr/bin/env bash
# @dsnp/parquetjs writes the price 19.9 into a column DECIMAL with precision 10 and scale 2 as 19.89, 4.35 as 4.34 and 1.15 as 1.14: it multiplies by 100 and cuts (DuckDB reads the same 19.89 from the file). With precision 9 or less, half of the
# values are 0 besides: 19.89, 0, 4.34, 0. One would guess that the column type for money is the exact one: as DOUBLE each of these prices comes back as it was.
# Of the 10,000 prices below 100.00, 573 lose a cent, without an error, and a copy of the copy loses again: 1.15, 1.14, 1.13. Write DOUBLE, or the cents as INT64.
# Version: @dsnp/parquetjs 1.8.9 (1.9.3 was published without its code), seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund @dsnp/parquetjs@1.8.9
cat > run.cjs <<'JS'
const { ParquetReader, ParquetSchema, ParquetWriter } = require("@dsnp/parquetjs");

async function readBack(field, prices) {
  const writer = await ParquetWriter.openFile(new ParquetSchema({ price: field }), "products.parquet");
  for (const price of prices) await writer.appendRow({ price });
  await writer.close();
  const reader = await ParquetReader.openFile("products.parquet");
  const cursor = reader.getCursor();
  const read = [];
  for (let row = await cursor.next(); row; row = await cursor.next()) read.push(row.price);
  await reader.close();
  return read;
}

(async () => {
  const prices = [19.9, 4.35, 1.15, 29.99];
  console.log(`DOUBLE: ${await readBack({ type: "DOUBLE" }, prices)}`);
  console.log(`DECIMAL(10, 2): ${await readBack({ type: "DECIMAL", precision: 10, scale: 2 }, prices)}`);
  console.log(`DECIMAL(9, 2): ${await readBack({ type: "DECIMAL", precision: 9, scale: 2 }, prices)}`);
  const all = Array.from({ length: 10_000 }, (_, cents) => cents / 100);
  const read = await readBack({ type: "DECIMAL", precision: 10, scale: 2 }, all);
  console.log(`wrong of all below 100.00: ${all.filter((price, index) => read[index] !== price).length}`);
  const again = await readBack({ type: "DECIMAL", precision: 10, scale: 2 }, [19.89, 4.34, 1.14]);
  console.log(`written again: ${again}`);
})();
JS
seen=$(node run.cjs)
echo "@dsnp/parquetjs@1.8.9"
echo "seen: $seen"
[ "$seen" = 'DOUBLE: 19.9,4.35,1.15,29.99
DECIMAL(10, 2): 19.89,4.34,1.14,29.99
DECIMAL(9, 2): 19.89,0,4.34,0
wrong of all below 100.00: 573
written again: 19.89,4.34,1.13' ]
