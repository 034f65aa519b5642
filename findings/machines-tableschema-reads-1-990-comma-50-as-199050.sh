#!/usr/bin/env bash
# tableschema, Frictionless Data's own library for JavaScript, told that a column has decimalChar "," and groupChar ".", reads the price 1.990,50 as 199050 and 19,90 as 1990: it makes a point of the comma, then takes all points away.
# One would guess 1990.5 and 19.9, for these two are the settings that Table Schema has for the prices of half of Europe; each of them alone is read rightly, and so is 1,990.50 with the two the other way round.
# A table of a supplier, described as the standard asks, has prices a hundred times as high, and they are valid. Leave groupChar out, and take the points away before; then a price with points is an error.
# Version: tableschema 1.12.6, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund tableschema@1.12.6
cat > run.cjs <<'JS'
const { Table } = require("tableschema");

async function read(options, text) {
  const schema = { fields: [{ name: "price", type: "number", ...options }] };
  try {
    const table = await Table.load([["price"], [text]], { schema });
    return (await table.read())[0][0];
  } catch (error) {
    return error.errors ? "an error" : error.message;
  }
}

(async () => {
  const german = { decimalChar: ",", groupChar: "." };
  console.log(`decimalChar "," and groupChar ".": 1.990,50 is ${await read(german, "1.990,50")}, 19,90 is ${await read(german, "19,90")}`);
  console.log(`decimalChar "." and groupChar ",": 1,990.50 is ${await read({ decimalChar: ".", groupChar: "," }, "1,990.50")}`);
  console.log(`decimalChar ",": 19,90 is ${await read({ decimalChar: "," }, "19,90")}, 1.990,50 is ${await read({ decimalChar: "," }, "1.990,50")}`);
  console.log(`groupChar ".": 1.990 is ${await read({ groupChar: "." }, "1.990")}`);
})();
JS
seen=$(node run.cjs)
echo "tableschema@1.12.6"
echo "seen: $seen"
[ "$seen" = 'decimalChar "," and groupChar ".": 1.990,50 is 199050, 19,90 is 1990
decimalChar "." and groupChar ",": 1,990.50 is 1990.5
decimalChar ",": 19,90 is 19.9, 1.990,50 is an error
groupChar ".": 1.990 is 1990' ]
