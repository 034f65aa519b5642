#!/usr/bin/env bash
# Medusa exports the price of a region in a column "Variant Price Europe [EUR]". Its import takes the last word of the name for the currency, so it reads a price in "[eur]", which its own check lets pass as a text; the region is lost.
# In the form that the import's message proposes, "Variant Price [Europe] EUR", the currency is right and the region is read and dropped: the same variant gets two prices in euros for everybody.
# One would guess that a table which nobody touched comes back as it was, or is refused.
# After "export, change the titles, import" what goes to the database has no price of the region, and one in a currency that no list has.
# Version: @medusajs/core-flows 2.21.2 with @medusajs/framework 2.21.2 (the functions of its export and import, called with what its query gives), seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @medusajs/core-flows@2.21.2 @medusajs/framework@2.21.2
cat > run.js <<'JS'
const flows = `${__dirname}/node_modules/@medusajs/core-flows/dist/product`;
const { normalizeForExport } = require(`${flows}/helpers/normalize-for-export`);
const { convertJsonToCsv, convertCsvToJson } = require(`${flows}/utils`);
const { CSVNormalizer, productValidators } = require("@medusajs/framework/utils");
const inEurope = [{ attribute: "region_id", value: "reg_1" }];
const price = (amount, price_rules) => ({ currency_code: "eur", amount, min_quantity: null, max_quantity: null, price_rules });
const variant = { id: "variant_1", title: "One size", options: [], price_set: { prices: [price(19.9, []), price(25, inEurope)] } };
const product = { id: "prod_1", handle: "mug", title: "Mug", options: [], variants: [variant] };
const exported = convertJsonToCsv(normalizeForExport([product], { regions: [{ id: "reg_1", name: "Europe", currency_code: "eur" }] }));
function imported(table) {
  const rows = convertCsvToJson(table).map((row, at) => CSVNormalizer.preProcess(row, at + 1));
  return productValidators.UpdateProduct.parse(new CSVNormalizer(rows).proccess().toUpdate.prod_1).variants[0].prices;
}
for (const table of [exported, exported.replace("Europe [EUR]", "[Europe] EUR")]) {
  const columns = table.split("\n")[0].split(",").filter((column) => column.startsWith("Variant Price"));
  console.log(`seen: ${columns.join(", ")}:`, JSON.stringify(imported(table)));
}
JS
echo "@medusajs/core-flows $(node -p 'require("./node_modules/@medusajs/core-flows/package.json").version'), Node $(node --version)"
seen=$(node run.js | grep '^seen:')
echo "$seen"
[ "$seen" = 'seen: Variant Price EUR, Variant Price Europe [EUR]: [{"currency_code":"eur","amount":19.9},{"currency_code":"[eur]","amount":25}]
seen: Variant Price EUR, Variant Price [Europe] EUR: [{"currency_code":"eur","amount":19.9},{"currency_code":"eur","amount":25}]' ]
