#!/usr/bin/env bash
# formatValue() of react-currency-input-field, its function for prices outside of a field, writes 1990.50 euros as "1.990,5 €" and 19.9 dollars as "$19.9", although it is given the currency; with decimalScale: 2 it writes 19.999 as
# "$19.99". One would guess the currency's two digits, as of Intl.NumberFormat, from which it takes the sign and the separators, and a rounded price.
# An API's 19.9 is shown with one decimal, and a net price with three is a cent lower than the one of the shop.
# Version: react-currency-input-field 4.0.7 with react 19.3.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund react-currency-input-field@4.0.7 react@19.3.1
cat > run.js <<'JS'
import { formatValue } from "react-currency-input-field";

const euros = { locale: "de-DE", currency: "EUR" };
const dollars = { locale: "en-US", currency: "USD" };
for (const [value, intlConfig, decimalScale] of [[1990.5, euros], [19.9, dollars], [19.999, dollars], [19.999, dollars, 2]]) {
  const { locale, currency } = intlConfig;
  const shown = formatValue({ value: String(value), intlConfig, decimalScale });
  console.log(JSON.stringify([shown, new Intl.NumberFormat(locale, { style: "currency", currency }).format(value)]).replaceAll("\u00a0", " "));
}
JS
seen=$(node run.js)
echo "react-currency-input-field@$(node -p 'JSON.parse(fs.readFileSync("node_modules/react-currency-input-field/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '["1.990,5 €","1.990,50 €"]
["$19.9","$19.90"]
["$19.999","$20.00"]
["$19.99","$20.00"]' ]
