#!/usr/bin/env bash
# Dinero.js 2 takes 1990 minor units of the Malagasy ariary or the Mauritanian ouguiya for 398 whole ones, because five make one, and toDecimal() throws "Currency is not decimal". One would guess two digits, as ISO 4217
# and the package currency-codes have them, or none, as the browser shows the ariary. All other currencies of its table are decimal.
# A storefront that takes minor units from an API shows twenty times the price where the API counts by ISO 4217 and a fifth where it counts as browsers do, or no page.
# Version: dinero.js 2.0.2, currency-codes 2.2.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund dinero.js@2.0.2 currency-codes@2.2.0
cat > run.js <<'JS'
import codes from "currency-codes";
import * as dinero from "dinero.js";

for (const code of ["EUR", "KWD", "MGA", "MRU"]) {
  const price = dinero.dinero({ amount: 1990, currency: dinero[code] });
  const decimal = () => {
    try {
      return dinero.toDecimal(price);
    } catch (error) {
      return error.message;
    }
  };
  const shown = new Intl.NumberFormat("en", { style: "currency", currency: code }).resolvedOptions();
  console.log(code, JSON.stringify(dinero.toUnits(price)), decimal(), codes.code(code).digits, shown.maximumFractionDigits);
}
const all = Object.values(dinero).filter((value) => typeof value === "object" && "exponent" in value);
console.log(all.filter(({ base }) => base !== 10).map(({ code }) => code).join(" "));
JS
seen=$(node run.js)
echo "dinero.js@$(node -p 'JSON.parse(fs.readFileSync("node_modules/dinero.js/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'EUR [19,90] 19.90 2 2
KWD [1,990] 1.990 3 3
MGA [398,0] [Dinero.js] Currency is not decimal. 2 0
MRU [398,0] [Dinero.js] Currency is not decimal. 2 2
MGA MRU' ]
