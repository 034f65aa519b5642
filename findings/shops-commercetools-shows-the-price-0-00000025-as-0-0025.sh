#!/usr/bin/env bash
# commercetools' MoneyInput, the field in which prices are edited: EUR 0.00000025 per token, in the API's own form of high precision (preciseAmount 25, fractionDigits 8), is shown as 0.0025, ten thousand times as much, and EUR 0.0000005
# as 0.00. Without a key being pressed, convertToMoneyValue() makes of them preciseAmount 25 with 4 digits, and centAmount 0: saving another field of the form changes the price. 0.000001 and 0.0000015 are right.
# One would guess that an amount of a form that has up to 20 digits comes back as it was, or that the field refuses it. (JavaScript writes numbers below a millionth as 2.5e-7, and that text is cut where the digits end.)
# Who sells tokens, calls or bytes by the piece should store the price of a million of them, and compare prices with those of the day before.
# Version: @commercetools-uikit/money-input 20.6.7, react 18.3.1, react-intl 6.8.9, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @commercetools-uikit/money-input@20.6.7 react@18.3.1 react-dom@18.3.1 react-intl@6.8.9
cat > run.js <<'JS'
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const { default: MoneyInput } = require("@commercetools-uikit/money-input");
console.log(`money-input ${require("@commercetools-uikit/money-input/package.json").version}`);
const prices = { "0.00001": [1, 5], "0.000001": [1, 6], "0.0000015": [15, 7], "0.0000005": [5, 7], "0.00000025": [25, 8] };
const seen = Object.entries(prices).map(([price, [preciseAmount, fractionDigits]]) => {
  const shown = MoneyInput.parseMoneyValue({ type: "highPrecision", currencyCode: "EUR", centAmount: 0, preciseAmount, fractionDigits }, "en");
  const saved = MoneyInput.convertToMoneyValue(shown, "en");
  console.log(`${price}: shown as ${shown.amount}, saved as ${saved.type} ${saved.preciseAmount ?? saved.centAmount} with ${saved.fractionDigits} digits`);
  return [shown.amount, saved.type, saved.preciseAmount ?? saved.centAmount, saved.fractionDigits].join(" ");
});
const right = "0.00001 highPrecision 1 5; 0.000001 highPrecision 1 6; 0.0000015 highPrecision 15 7";
process.exit(seen.join("; ") === `${right}; 0.00 centPrecision 0 2; 0.0025 highPrecision 25 4` ? 0 : 1);
JS
node run.js
