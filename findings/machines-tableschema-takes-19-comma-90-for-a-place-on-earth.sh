#!/usr/bin/env bash
# tableschema, Frictionless Data's own library for JavaScript, infers that a column of prices 19,90 and 5,00, or of sizes "35,36", is of type geopoint, a place on Earth: reading gives [19, 90] and [5, 0]. And the sizes 1-2 and 3-4 are of type
# yearmonth, months of the years 1 and 3. One would guess text for all three, or a number for the price; one price of 249,00, which no longitude reaches, makes the column "any", and its prices texts.
# A description that was inferred from a shop's table and published with it says "geopoint" to every reader until the first product above 180,00. Give the type of each column: "string", or "number" with decimalChar ",".
# Version: tableschema 1.12.6, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund tableschema@1.12.6
cat > run.cjs <<'JS'
const { Table } = require("tableschema");

async function inferred(rows) {
  const table = await Table.load([["title", "price", "sizes", "pack"], ...rows]);
  await table.infer();
  const types = table.schema.fields.map((field) => `${field.name} ${field.type}`);
  return `${types.join(", ")}: ${JSON.stringify(await table.read())}`;
}

(async () => {
  const rows = [["Mug", "19,90", "35,36", "1-2"], ["Kit", "5,00", "38,39", "3-4"]];
  console.log(await inferred(rows));
  console.log(await inferred([...rows, ["Desk", "249,00", "60,80", "1-1"]]));
})();
JS
seen=$(node run.cjs)
echo "tableschema@1.12.6"
echo "seen: $seen"
[ "$seen" = 'title string, price geopoint, sizes geopoint, pack yearmonth: [["Mug",[19,90],[35,36],[1,2]],["Kit",[5,0],[38,39],[3,4]]]
title string, price any, sizes geopoint, pack yearmonth: [["Mug","19,90",[35,36],[1,2]],["Kit","5,00",[38,39],[3,4]],["Desk","249,00",[60,80],[1,1]]]' ]
