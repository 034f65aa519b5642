#!/usr/bin/env bash
# joi-to-swagger writes Joi.number().positive() as minimum: 1, so a price of 0.50, which the API takes, is refused by its own OpenAPI document; negative() is maximum: -1 (a list in its README has it so). Of number().greater(0), which means the same as positive(), nothing is
# left: 0 and -5 pass. One would guess minimum: 0 with exclusiveMinimum for both, or 1 for whole numbers only, for which it would be right.
# A generated client or a gateway refuses what costs less than 1, in a shop of most prices from 5 to 50 the last thing that a test asks; and every number is of format float, for which generators of typed languages take 32 bits.
# Version: joi-to-swagger 6.2.0 with joi 18.3.2, ajv 8.20.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund joi-to-swagger@6.2.0 joi@18.3.2 ajv@8.20.0
cat > run.js <<'JS'
const { Ajv } = require("ajv");
const Joi = require("joi");
const convert = require("joi-to-swagger");

for (const [rule, argument, value] of [["positive", undefined, 0.5], ["negative", undefined, -0.5], ["greater", 0, -5]]) {
  const price = Joi.number()[rule](argument);
  const { swagger } = convert(price);
  const taken = new Ajv({ formats: { float: true } }).validate(swagger, value);
  console.log(`${rule}: ${value} joi ${price.validate(value).error === undefined}, ${JSON.stringify(swagger)} ${taken}`);
}
JS
seen=$(node run.js)
echo "joi-to-swagger $(node -p 'require("joi-to-swagger/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'positive: 0.5 joi true, {"type":"number","format":"float","minimum":1} false
negative: -0.5 joi true, {"type":"number","format":"float","maximum":-1} false
greater: -5 joi false, {"type":"number","format":"float"} true' ]
