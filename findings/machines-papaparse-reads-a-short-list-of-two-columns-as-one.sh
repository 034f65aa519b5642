#!/usr/bin/env bash
# Papa Parse does not find the semicolon or the tab of a price list of two columns that has fewer than nine products and ends with a line end, as text files do: each row is one cell, "A1;19.90". With the ninth
# product, a third column, or without the last line end it finds it. In the same short list with commas and titles like "Mug | red | S" it takes the | for the separator, without an error.
# One would guess that a file of regular rows is read the same whatever its length. The last empty line counts as a row of one cell, and the mean number of cells is then too small.
# An import that works for every real list breaks for a small one: the first of a new shop, a test, the change of three prices.
# Version: papaparse 5.7.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund papaparse@5.7.1
cat > run.js <<'JS'
import Papa from "papaparse";

function show(name, text) {
  const { meta, data, errors } = Papa.parse(text);
  console.log(name, JSON.stringify(meta.delimiter), JSON.stringify(data[1]), errors.map(({ code }) => code).join());
}
const list = (rows, separator = ";") =>
  ["sku", ...Array.from({ length: rows }, (_, row) => `A${row + 1}`)]
    .map((sku, row) => `${sku}${separator}${row === 0 ? "price" : "19.90"}\n`)
    .join("");
show("1 product", list(1));
show("8 products", list(8));
show("9 products", list(9));
show("8 without the last line end", list(8).trimEnd());
show("8 with tabs", list(8, "\t"));
show("2 with three columns", "sku;title;price\nA1;Mug;19.90\nA2;Cup;9.50\n");
show("2 with commas", "title,price\nMug | red | S,19.90\nCup | blue | M,9.50\n");
JS
seen=$(node run.js)
echo "papaparse@$(node -p 'require("papaparse/package.json").version')"
echo "seen: $seen"
[ "$seen" = '1 product "," ["A1;19.90"] UndetectableDelimiter
8 products "," ["A1;19.90"] UndetectableDelimiter
9 products ";" ["A1","19.90"] 
8 without the last line end ";" ["A1","19.90"] 
8 with tabs "," ["A1\t19.90"] UndetectableDelimiter
2 with three columns ";" ["A1","Mug","19.90"] 
2 with commas "|" ["Mug "," red "," S,19.90"] ' ]
