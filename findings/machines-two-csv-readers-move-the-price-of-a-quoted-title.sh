#!/usr/bin/env bash
# convert-csv-to-json does not read quotes unless supportQuotedField(true) is asked for: of mug,"Blue mug, big",19.90,5 it makes a title with a quote, the price " big\"" and the stock 19.90, and drops the 5. csvjson, with quote: '"', empties a text
# with quotes inside ("") and makes two records of one with a line break. One would guess RFC 4180, or an error where a row has more cells than columns.
# Of a price list only the products with a comma in their title have a wrong price, in a field that is still a text.
# Version: convert-csv-to-json 4.72.0, csvjson 5.1.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund convert-csv-to-json@4.72.0 csvjson@5.1.0
cat > run.js <<'JS'
const converter = require("convert-csv-to-json");
const csvjson = require("csvjson");

console.log(JSON.stringify(converter.fieldDelimiter(",").csvStringToJson('slug,title,price,stock\nmug,"Blue mug, big",19.90,5\n')));
console.log(JSON.stringify(csvjson.toObject('slug,note\nmug,"Says ""x"""\ncup,"two\nlines"', { delimiter: ",", quote: '"' })));
JS
seen=$(node run.js | tr '\n' ' ')
echo "convert-csv-to-json@4.72.0 csvjson@5.1.0"
echo "seen: $seen"
[ "$seen" = '[{"slug":"mug","title":"\"Blue mug","price":" big\"","stock":"19.90"}] [{"slug":"mug","note":""},{"slug":"cup","note":"two"},{"slug":"","note":""}] ' ]
