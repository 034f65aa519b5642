#!/usr/bin/env bash
# SheetJS reads the size 10-12 of a CSV file as the day 12 October 2001, the size 1/2 as 2 January and the text "1,5" as 15; csv-parse with cast and
# cast_date makes May 2001 of "5%" and January 2001 of "1,5". One would guess that only ISO dates are dates. A price list imported with
# either changes sizes, discounts and decimal commas of its products, and only of some.
# Version: xlsx 0.18.5, csv-parse 7.0.3, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund xlsx@0.18.5 csv-parse@7.0.3
cat > run.js <<'JS'
import { parse } from "csv-parse/sync";
import XLSX from "xlsx";

const table = 'value\n10-12\n1/2\n"1,5"\n5%\nXL\n';
const sheet = XLSX.read(table, { type: "string" }).Sheets.Sheet1;
const sheetjs = XLSX.utils.sheet_to_json(sheet, { raw: false }).map(({ value }) => value);
const cast = parse(table, { columns: true, cast: true, cast_date: true }).map(({ value }) => (value instanceof Date ? value.toISOString().slice(0, 10) : value));
console.log(`SheetJS: ${sheetjs.join(" ")}; 1,5 as a number: ${XLSX.utils.sheet_to_json(sheet)[2].value}\ncsv-parse: ${cast.join(" ")}`);
JS
seen=$(TZ=UTC node run.js)
echo "xlsx@0.18.5 csv-parse@7.0.3"
echo "seen: $seen"
[ "$seen" = 'SheetJS: 10/12/01 1/2/01 1,5 5% XL; 1,5 as a number: 15
csv-parse: 2001-10-12 2001-01-02 2001-01-05 2001-05-01 XL' ]
