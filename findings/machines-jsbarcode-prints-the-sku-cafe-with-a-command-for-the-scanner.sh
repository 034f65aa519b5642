#!/usr/bin/env bash
# JsBarcode draws the SKU CAFÉ-1 as a Code 128 of the symbols C, A, F, FNC 3, - and 1, with "CAF-1" below it, without an error: FNC 3 tells a scanner that its settings follow. È is the control character DEL, Ê is FNC 2. Code 128 has no É:
# one would guess the error "is not a valid input for CODE128", which é, Ü and ß give. The library keeps its commands at the letters È to Ï of Latin-1, and takes them from the text, too.
# A label made of a catalog's SKU or title in capital letters (PURÉE, CRÈME) says another SKU, or none, and the check digit is right.
# Version: jsbarcode 3.12.3, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund jsbarcode@3.12.3
cat > run.js <<'JS'
const JsBarcode = require("jsbarcode");
const { BARS } = require("jsbarcode/bin/barcodes/CODE128/constants.js");

// A symbol of Code 128 has 11 modules; in its set B 0 to 94 are the characters from the space to ~, 95 is DEL, 96 is FNC 3 and 97 is FNC 2. The first starts the set, the last two are the check digit and the stop.
const SYMBOLS = [..."x".repeat(95)].map((_, at) => String.fromCharCode(at + 32)).concat("<DEL>", "<FNC3>", "<FNC2>");
for (const sku of ["CAFE-1", "CAFÉ-1", "CAFÈ-1", "CAFÊ-1", "café-1", "CAFÜ-1"]) {
  try {
    const label = {};
    JsBarcode(label, sku, { format: "CODE128" });
    const [{ data, text }] = label.encodings;
    const symbols = data.match(/.{11}/g).slice(1, -2);
    console.log(sku, text, symbols.map((bars) => SYMBOLS[BARS.map(String).indexOf(bars)]).join(""));
  } catch (error) {
    console.log(sku, error.message ?? error);
  }
}
JS
seen=$(node run.js)
echo "jsbarcode@$(node -p 'JSON.parse(fs.readFileSync("node_modules/jsbarcode/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'CAFE-1 CAFE-1 CAFE-1
CAFÉ-1 CAF-1 CAF<FNC3>-1
CAFÈ-1 CAF-1 CAF<DEL>-1
CAFÊ-1 CAF-1 CAF<FNC2>-1
café-1 "café-1" is not a valid input for CODE128AUTO
CAFÜ-1 "CAFÜ-1" is not a valid input for CODE128AUTO' ]
