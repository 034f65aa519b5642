#!/usr/bin/env bash
# use-shopping-cart takes prices in the smallest unit, as Stripe does, and divides by 100 where the browser shows the currency with decimals, and by nothing where it does not: 199000 of HUF, whose unit has 100 parts in ISO 4217 and at Stripe,
# is shown as 199,000 forint instead of 1,990, and 1990 of KWD, which has 1000, as 19.900 instead of 1.990. One would guess a table of currencies, or the browser's number of digits for 10 to the power.
# A shop in Hungary shows every price a hundred times too high, and Stripe takes the right one.
# Version: use-shopping-cart 3.2.0, Node 24.21.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps use-shopping-cart@3.2.0 node@24.21.0
export PATH="$dir/node_modules/.bin:$PATH"
cat > run.js <<'JS'
import { createRequire } from "node:module";
const { formatCurrencyString } = createRequire(import.meta.url)("use-shopping-cart/core");
const prices = [["EUR", 1990], ["JPY", 1990], ["HUF", 199000], ["KWD", 1990]];
const shown = ([currency, value]) => formatCurrencyString({ value, currency, language: "en-US" }).replace(/\s/, " ");
console.log(prices.map((price) => `${price.join(" ")}: ${shown(price)}`).join(", "));
JS
seen=$(node run.js)
echo "use-shopping-cart@3.2.0, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'EUR 1990: €19.90, JPY 1990: ¥1,990, HUF 199000: HUF 199,000, KWD 1990: KWD 19.900' ]
