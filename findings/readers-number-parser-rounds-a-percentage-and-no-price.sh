#!/usr/bin/env bash
# NumberParser of @internationalized/number, behind the number fields of React Aria, reads "50.5%" as 0.51: a percentage is rounded to the decimals that its format shows, none by default. A price
# in dollars, whose format shows two, keeps its third: "19.999" is 19.999. One would guess that reading rounds neither, or both. A discount that is typed as 50.5% is
# saved as 51 %, while the field of the price beside it keeps what was typed.
# Version: @internationalized/number 3.6.9, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund @internationalized/number@3.6.9
seen=$(node -p 'const { NumberParser } = require("@internationalized/number"); [new NumberParser("en-US", { style: "percent" }).parse("50.5%"), new NumberParser("en-US", { style: "currency", currency: "USD" }).parse("$19.999")].join(" ")')
echo "@internationalized/number $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/@internationalized/number/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '0.51 19.999' ]
