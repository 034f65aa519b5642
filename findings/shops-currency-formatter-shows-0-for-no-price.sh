#!/usr/bin/env bash
# currency-formatter makes "$0.00" of null, of undefined and of a text that is no number. One would guess an empty text, NaN or an error: Intl.NumberFormat says NaN of the last two.
# A product whose price is not known is offered for nothing, and an answer that lacks the field it was asked for shows a page full of zeros.
# Version: currency-formatter 1.5.9, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund currency-formatter@1.5.9
seen=$(node -p 'const { format } = require("currency-formatter"); [null, undefined, "on request", 19.9].map((price) => format(price, { code: "USD" })).join(" ")')
echo "currency-formatter $(node -p 'require("currency-formatter/package.json").version')"
echo "seen: $seen"
[ "$seen" = '$0.00 $0.00 $0.00 $19.90' ]
