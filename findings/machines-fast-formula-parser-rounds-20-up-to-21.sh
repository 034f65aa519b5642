#!/usr/bin/env bash
# fast-formula-parser, which calculates the formulas of Excel, says ROUNDUP(20,0) is 21 and ROUNDUP(5,2) is 5.01: it adds half a unit and rounds. 19.90 stays at two digits and is 20 at one. Of the prices 0.01 to 100.00, 8,404 get a cent more
# by ROUNDUP(price,2) and 1,230 a cent less by ROUNDDOWN; TRUNC(4.35,2) is 4. One would guess what Excel and LibreOffice say, and @formulajs/formulajs here: a price of two digits stays as it is.
# A shop rounds its prices up to the cent or to whole units by such a formula, and a price that was right before is raised. ROUND is right for all of them.
# Version: fast-formula-parser 1.0.19, @formulajs/formulajs 4.6.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund fast-formula-parser@1.0.19 @formulajs/formulajs@4.6.1
cat > run.js <<'JS'
const FormulaParser = require("fast-formula-parser");
const formulajs = require("@formulajs/formulajs");

const parser = new FormulaParser();
const own = (name, number, digits) => parser.parse(`${name}(${number},${digits})`, { row: 1, col: 1, sheet: "S" });
for (const [name, number, digits] of [["ROUNDUP", 20, 0], ["ROUNDUP", 5, 2], ["ROUNDUP", 19.9, 2], ["ROUNDUP", 19.9, 1], ["TRUNC", 4.35, 2]]) console.log(name, number, digits, own(name, number, digits));
const prices = Array.from({ length: 10000 }, (_, cents) => (cents + 1) / 100);
for (const name of ["ROUNDUP", "ROUNDDOWN", "ROUND"]) {
  console.log(name, prices.filter((price) => own(name, price, 2) !== price).length, prices.filter((price) => formulajs[name](price, 2) !== price).length);
}
JS
seen=$(node run.js)
for name in fast-formula-parser @formulajs/formulajs; do echo "$name@$(node -p "JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version")"; done
echo "seen: $seen"
[ "$seen" = 'ROUNDUP 20 0 21
ROUNDUP 5 2 5.01
ROUNDUP 19.9 2 19.9
ROUNDUP 19.9 1 20
TRUNC 4.35 2 4
ROUNDUP 8404 0
ROUNDDOWN 1230 0
ROUND 0 0' ]
