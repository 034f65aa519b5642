#!/usr/bin/env bash
# parse-price, which reads prices off pages, makes 19.9024 of the range "19.90-24.90", 25 of "2 for 5" and 0 of "free" and of an empty text. One would guess the lower price, NaN or an error: it joins whatever digits there are. "1.234,56" and
# "1,234.56" it reads right.
# Prices of products with variants are ranges in nearly every shop's list: a program that compares catalogs by it finds plausible numbers, and a price that is not shown yet is a gift.
# Version: parse-price 1.1.8, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund parse-price@1.1.8
cat > run.js <<'JS'
import imported from "parse-price";

const parse = imported.default ?? imported;
console.log(["1.234,56", "19.90-24.90", "2 for 5", "free", ""].map((text) => parse(text)).join(" "));
JS
seen=$(node run.js)
echo "parse-price@1.1.8"
echo "seen: $seen"
[ "$seen" = "1234.56 19.9024 25 0 0" ]
