#!/usr/bin/env bash
# VMasker.toMoney of vanilla-masker writes the number 20 as 0,20 and 19.9 as 1,99, but 19.95 as 19,95 and the text "19.90" as 19,90: it takes all digits of what it gets, without the point, for cents.
# One would guess that 20 is 20,00, since 19.95 is 19,95.
# Prices that end in a zero, which JSON writes without it, are shown as a tenth or a hundredth, among others that are right.
# Version: vanilla-masker 1.2.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund vanilla-masker@1.2.0
cat > run.js <<'JS'
import VMasker from "vanilla-masker";

const prices = [19.95, 19.9, 20, "19.90"];
const shown = (price) => VMasker.toMoney(price, { precision: 2, separator: ",", delimiter: "." });
console.log(prices.map((price) => `${JSON.stringify(price)}: ${shown(price)}`).join("; "));
JS
seen=$(node run.js)
echo "vanilla-masker@1.2.0"
echo "seen: $seen"
[ "$seen" = '19.95: 19,95; 19.9: 1,99; 20: 0,20; "19.90": 19,90' ]
