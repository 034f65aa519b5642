#!/usr/bin/env bash
# HyperFormula's TEXT(1990.5, "#,##0.00") is the text "1991,##0.00", and "$#,##0.00" gives "$1991,##0.00", without an error; "0.00" gives 1990.50. One would guess 1,990.50, as Excel, LibreOffice and Gnumeric say of the format that spreadsheets
# use for prices, or #VALUE!. The part up to the comma is taken for the whole format, so the price is rounded, and the rest stands for itself; "@" and "General" give @ and General.
# Prices that a sheet or a form in the page (Handsontable and others calculate with it) shows by the formulas of the shop's workbook are wrong by up to half a unit.
# Version: hyperformula 3.5.0, seen on Node 20 and 24; ssconvert of Gnumeric 1.12.55 (Debian's package gnumeric).
set -euo pipefail
command -v ssconvert > /dev/null || { echo "needs Debian's package gnumeric"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund hyperformula@3.5.0
cat > run.js <<'JS'
const { writeFileSync } = require("node:fs");
const { HyperFormula } = require("hyperformula");

const formats = ["0.00", "#,##0.00", "#,##0", "$#,##0.00", "@"];
const sheet = formats.map((format) => [`=TEXT(1990.5,"${format}")`]);
writeFileSync("sheet.csv", sheet.map(([cell]) => `"${cell.replaceAll('"', '""')}"\n`).join(""));
const values = HyperFormula.buildFromArray(sheet, { licenseKey: "gpl-v3" }).getSheetValues(0);
for (const [at, [value]] of values.entries()) console.log(formats[at], value);
JS
seen=$(node run.js; HOME="$dir" LC_ALL=C.UTF-8 ssconvert --recalc -O "quoting-mode=never separator='|'" -T Gnumeric_stf:stf_assistant sheet.csv fd://1 2> /dev/null | tr -d '\r')
echo "hyperformula@$(node -p 'JSON.parse(fs.readFileSync("node_modules/hyperformula/package.json")).version'), $(dpkg-query -W -f '${Package} ${Version}' gnumeric)"
echo "seen: $seen"
[ "$seen" = '0.00 1990.50
#,##0.00 1991,##0.00
#,##0 1991,##0
$#,##0.00 $1991,##0.00
@ @
1990.50
1,990.50
1,991
$1,990.50
1990.5' ]
