#!/usr/bin/env bash
# math.unit("500 ml") of mathjs, written again without any reckoning, is "500.00000000000006 ml", 250 ml is 250.00000000000003 and 125 cl is 124.99999999999999; 200, 300, 330 and 400 ml stay as they were.
# One would guess that what is read is written again, as for 500 g and 500 mm: a unit keeps its value in SI's cubic metres, to which a millilitre is 1e-6. toJSON() has the rest too, and the read value does not
# equal 500. Two products of one size get two values of a filter, or two lines in a comparison, if one of them went through it.
# Version: mathjs@15.2.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" mathjs@15.2.0
cat > "$dir/sizes.cjs" << 'END'
const math = require("mathjs");
for (const size of ["500 g", "500 mm", "330 ml", "400 ml", "500 ml", "250 ml", "125 cl"]) console.log(size, "is", math.unit(size).toString());
console.log("toNumber(ml) is 500:", math.unit("500 ml").toNumber("ml") === 500, "toJSON:", math.unit("500 ml").toJSON().value);
END
seen="$(node "$dir/sizes.cjs")"
echo "mathjs $(node -p "require('$dir/node_modules/mathjs/package.json').version"), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = "500 g is 500 g
500 mm is 500 mm
330 ml is 330 ml
400 ml is 400 ml
500 ml is 500.00000000000006 ml
250 ml is 250.00000000000003 ml
125 cl is 124.99999999999999 cl
toNumber(ml) is 500: false toJSON: 500.00000000000006" ]
