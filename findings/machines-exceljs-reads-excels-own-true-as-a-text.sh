#!/usr/bin/env bash
# ExcelJS reads the word true of a CSV file as a boolean, and TRUE, as Excel and SheetJS write it, as a text; FALSE is a text too, and so true in JavaScript. 10-12-2026 is the day 12 October, 13-12-2026 a text. One would
# guess that a library for Excel's files knows Excel's spelling of a truth first, and one kind for one column.
# A column "sold out" of a price list that went through a spreadsheet says FALSE, and each product is sold out: a text that is not empty is true.
# Version: exceljs 4.4.0, xlsx 0.18.5, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{}' > package.json
npm install --silent --no-audit --no-fund exceljs@4.4.0 xlsx@0.18.5
cat > run.js <<'JS'
const { Readable } = require("node:stream");
const { Workbook } = require("exceljs");
const { utils } = require("xlsx");

const csv = utils.sheet_to_csv(utils.json_to_sheet([{ sku: "A1", soldOut: false, new: true }]));
console.log(JSON.stringify(csv));
new Workbook().csv.read(Readable.from([`${csv}\nA2,false,true\nA3,10-12-2026,13-12-2026\n`])).then((sheet) => {
  sheet.eachRow(({ values }, row) => row > 1 && console.log(JSON.stringify(values.slice(1)), Boolean(values[2])));
});
JS
seen=$(node run.js)
echo "exceljs@$(node -p 'require("exceljs/package.json").version')"
echo "seen: $seen"
[ "$seen" = '"sku,soldOut,new\nA1,FALSE,TRUE"
["A1","FALSE","TRUE"] true
["A2",false,true] false
["A3","2026-10-12T00:00:00.000Z","13-12-2026"] true' ]
