#!/usr/bin/env bash
# toBest() of convert-units, "the best unit" to show a measure in, makes 1.65 "glas" of 330 ml, 3.75 "glas" of 750 ml, 3.3333333333333335 "matskedar" of 50 ml and 1.91 "kannor" of 5 l: Swedish kitchen measures are part of
# its metric system of volumes. One would guess 330 ml, or 33 cl; the package makes 1.5 kg of 1500 g and 500 g of 0.5 kg as one guesses, and 1 dl of 100 ml.
# A shop that shows or exports its sizes so has bottles in glasses, and a filter by unit finds them under a word of one language.
# Version: convert-units@2.3.4, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" convert-units@2.3.4
cat > "$dir/sizes.cjs" << 'END'
const convert = require("convert-units");
for (const [value, unit] of [[1500, "g"], [0.5, "kg"], [100, "ml"], [330, "ml"], [750, "ml"], [50, "ml"], [5, "l"]]) {
  const best = convert(value).from(unit).toBest();
  console.log(`${value} ${unit} is ${best.val} ${best.unit} (${best.plural})`);
}
END
seen="$(node "$dir/sizes.cjs")"
echo "convert-units $(node -p "require('$dir/node_modules/convert-units/package.json').version"), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = "1500 g is 1.5 kg (Kilograms)
0.5 kg is 500 g (Grams)
100 ml is 1 dl (Decilitres)
330 ml is 1.65 glas (Glas)
750 ml is 3.75 glas (Glas)
50 ml is 3.3333333333333335 msk (Matskedar)
5 l is 1.9105846388995034 kanna (Kannor)" ]
