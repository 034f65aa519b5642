#!/usr/bin/env bash
# @IsDivisibleBy(0.5) of class-validator refuses every number, 1.5 and 2 too: it cuts the divisor to a whole number, here 0. @IsDivisibleBy(1.5) tests for 1 and takes 2; @IsDivisibleBy(2.5) takes 4 and refuses 2.5.
# One would guess multiples of a half, as multipleOf: 0.5 of JSON Schema has them, or an error for a divisor that is not whole: both arguments are of type number.
# Cable sold by the half metre: a shop's own rule for quantities says no to each order, or yes to the wrong ones, where the schema of its API says otherwise.
# Version: class-validator 0.15.1, beside ajv 8.17.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund class-validator@0.15.1 ajv@8.17.1
cat > run.js <<'JS'
import Ajv from "ajv";
import { isDivisibleBy } from "class-validator";

const validator = new Ajv.default();
for (const [value, step] of [[1.5, 0.5], [2, 0.5], [2, 1.5], [4, 2.5], [2.5, 2.5]]) {
  console.log(`${value} by ${step}: ${isDivisibleBy(value, step)}, multipleOf ${validator.validate({ multipleOf: step }, value)}`);
}
JS
seen=$(node run.js | paste -sd';')
echo "class-validator@0.15.1"
echo "seen: $seen"
[ "$seen" = '1.5 by 0.5: false, multipleOf true;2 by 0.5: false, multipleOf true;2 by 1.5: true, multipleOf false;4 by 2.5: true, multipleOf false;2.5 by 2.5: false, multipleOf true' ]
