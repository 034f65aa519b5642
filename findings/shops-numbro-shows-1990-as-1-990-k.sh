#!/usr/bin/env bash
# numbro's formatCurrency(), without options, writes the price 1990 as "$ 1.990 k", 0 as "$ 0.000" and 100 as "$ 100.0"; 19.9 is "$ 19.90". One would guess $1,990.00 and $0.00, as of numeral's '$0,0.00', which numbro came from, or of Intl. By default it writes
# four digits in all and thousands in short, as one wants for the axis of a chart: of the prices in a list, none has the same number of decimals as the next.
# In much of the world "1.990 k" looks like 1,990,000. { thousandSeparated: true, mantissa: 2 } writes a price.
# Version: numbro 2.5.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund numbro@2.5.0
cat > run.js <<'JS'
const numbro = require("numbro");

for (const price of [0, 5, 19.9, 100, 1990]) {
  console.log(price, numbro(price).formatCurrency(), numbro(price).formatCurrency({ thousandSeparated: true, mantissa: 2 }));
}
JS
seen=$(node run.js)
echo "numbro 2.5.0"
echo "seen: $seen"
[ "$seen" = '0 $ 0.000 $0.00
5 $ 5.000 $5.00
19.9 $ 19.90 $19.90
100 $ 100.0 $100.00
1990 $ 1.990 k $1,990.00' ]
