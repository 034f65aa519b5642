#!/usr/bin/env bash
# Medusa's export of products has a column for each currency. A variant that costs 19.90, and 15.00 each from ten pieces on, is written with "Variant Price EUR" 15: each price of the currency without a rule is put into the same cell, and a quantity
# is no rule, so the last one stays. One would guess the price of one piece, which is what the storefront shows, or a column for each.
# A feed or a catalog that is made from the exported table has the price that nobody who buys one gets, and Medusa's import reads it back as the price of everybody.
# Version: @medusajs/core-flows 2.21.2 with @medusajs/framework 2.21.2 (the functions of its export, called with what its query gives; and its class for imports), seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @medusajs/core-flows@2.21.2 @medusajs/framework@2.21.2
cat > run.js <<'JS'
const flows = `${__dirname}/node_modules/@medusajs/core-flows/dist/product`;
const { normalizeForExport } = require(`${flows}/helpers/normalize-for-export`);
const { convertJsonToCsv, convertCsvToJson } = require(`${flows}/utils`);
const { CSVNormalizer } = require("@medusajs/framework/utils");
const price = (amount, min_quantity) => ({ currency_code: "eur", amount, min_quantity, max_quantity: null, price_rules: [] });
const variant = { id: "variant_1", title: "One size", options: [], price_set: { prices: [price(19.9, null), price(15, 10)] } };
const product = { id: "prod_1", handle: "mug", title: "Mug", options: [], variants: [variant] };
const table = convertJsonToCsv(normalizeForExport([product], { regions: [] }));
for (const line of table.split("\n")) console.log(`seen: ${line}`);
const rows = convertCsvToJson(table).map((row, at) => CSVNormalizer.preProcess(row, at + 1));
console.log("seen: read back:", JSON.stringify(new CSVNormalizer(rows).proccess().toUpdate.prod_1.variants[0].prices));
JS
echo "@medusajs/core-flows $(node -p 'require("./node_modules/@medusajs/core-flows/package.json").version'), Node $(node --version)"
seen=$(node run.js | grep '^seen:')
echo "$seen"
[ "$seen" = 'seen: Product Id,Product Handle,Product Title,Variant Id,Variant Title,Variant Price EUR
seen: prod_1,mug,Mug,variant_1,One size,15
seen: read back: [{"currency_code":"eur","amount":15}]' ]
