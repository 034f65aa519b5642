#!/usr/bin/env bash
# currency.js, numeral and accounting read the text "2E+1" as 21 and "1.99E+3" as 1.99 or 1.993: they strike the letter and the plus sign and join what is left. "5E-2" is NaN, -52 and 5. numbro reads 20 and 1990, and one would guess that a reader of numbers knows JavaScript's own spelling of them, or refuses it.
# Java's BigDecimal writes 20.00 without its trailing zeros as 2E+1, and Jackson and others write it so into JSON; as a text, for exactness, it comes to a shop's page, which shows 21.00.
# Version: currency.js 2.0.4, numeral 2.0.6, accounting 0.4.1, numbro 2.5.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund currency.js@2.0.4 numeral@2.0.6 accounting@0.4.1 numbro@2.5.0
cat > run.js <<'JS'
import currency from "currency.js";
import numeral from "numeral";
import accounting from "accounting";
import numbro from "numbro";

for (const price of ["19.90", "2E+1", "1.99E+3", "5E-2"]) console.log(price, currency(price).value, numeral(price).value(), accounting.unformat(price), numbro.unformat(price));
JS
seen=$(node run.js)
echo "currency.js 2.0.4, numeral 2.0.6, accounting 0.4.1"
echo "seen: $seen"
[ "$seen" = '19.90 19.9 19.9 19.9 19.9
2E+1 21 21 21 20
1.99E+3 1.99 1.993 1.993 1990
5E-2 NaN -52 5 0.05' ]
