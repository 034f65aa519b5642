#!/usr/bin/env bash
# Qty("12 fl oz") of js-quantities is twelve femtolitres times ounces, a quantity without a kind that cannot be converted to ml: a blank between units means "times". "12 floz" is 355 ml.
# One would guess a volume, as the size stands on the can, or the error that it throws for "1,5 mm" and "5 pcs". So 10 cu ft is ten cups times feet, which is m4.
# A size that is checked by "does it parse" passes; the product is missing in whatever filters by kind, and its neighbour with "12 floz" is there.
# Version: js-quantities@1.8.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" js-quantities@1.8.0
cat > "$dir/sizes.cjs" << 'END'
const Qty = require("js-quantities");
for (const size of ["12 oz", "12 floz", "12 fl oz", "10 cu ft", "5 pcs"]) {
  const read = Qty.parse(size);
  console.log(`${size}:`, read === null ? "not read" : `${read.kind()}, ${read.toBase().units()}`);
}
console.log("12 fl oz in ml:", (() => { try { return Qty("12 fl oz").to("ml").toString(); } catch (error) { return error.message; } })());
END
seen="$(node "$dir/sizes.cjs")"
echo "js-quantities $(node -p "require('$dir/node_modules/js-quantities/package.json').version"), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = "12 oz: mass, kg
12 floz: volume, m3
12 fl oz: undefined, m3*kg
10 cu ft: undefined, m4
5 pcs: not read
12 fl oz in ml: Incompatible units: fl*oz and ml" ]
