#!/usr/bin/env bash
# currency.js, accounting and numeral read the price 19,99 as 1999 without a word, 1.234,56 as 1.23, and 1e3 as 13: what is no digit is dropped.
# One would guess an error, NaN or 19.99. A catalog API that gives prices as local texts is read a hundredfold too dear by programs with these
# libraries; Small unit prices, which
# JavaScript writes as 1e-7, are NaN to currency.js, and numeral prints NaN for the number itself.
# Version: currency.js 2.0.4, accounting 0.4.1, numeral 2.0.6.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund currency.js@2.0.4 accounting@0.4.1 numeral@2.0.6
cat > run.js <<'JS'
import accounting from "accounting";
import currency from "currency.js";
import numeral from "numeral";

for (const price of ["19,99", "1.234,56", "1e3"])
  console.log(price, currency(price).value, accounting.unformat(price), numeral(price).value());
console.log(String(0.0000001), currency(String(0.0000001)).value, numeral(0.0000001).format("0.00"));
JS
seen=$(node run.js)
echo "currency.js@2.0.4 accounting@0.4.1 numeral@2.0.6"
echo "seen: $seen"
[ "$seen" = '19,99 1999 1999 1999
1.234,56 1.23 1.23456 1.23456
1e3 13 13 13
1e-7 NaN NaN' ]
