#!/usr/bin/env bash
# openapi-request-coercer, which makes numbers and booleans of a request's texts for express-openapi and others, takes every text but "false" for true: ?featured=0, =no, =off, =False and =x are true, and so is an empty one. An empty
# ?min_price= is 0, and ?page=5.9 is 5. One would guess that what is no boolean stays a text, so that the validator behind it answers 400: it does leave "12 pieces" a text, for a number.
# Who asks a catalog for what is not featured gets what is. With "x-openapi-coercion-strict": true in a parameter they are null instead.
# Version: openapi-request-coercer 12.1.3, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund openapi-request-coercer@12.1.3
cat > run.mjs <<'JS'
import module from "openapi-request-coercer";

const Coercer = module.default ?? module;
const read = (type, text) => {
  const request = { query: { value: text }, headers: {}, params: {} };
  new Coercer({ parameters: [{ in: "query", name: "value", schema: { type } }] }).coerce(request);
  return JSON.stringify(request.query.value);
};
const show = (type, ...texts) => console.log(`${type}: ${texts.map((text) => `"${text}" ${read(type, text)}`).join(", ")}`);
show("boolean", "true", "false", "0", "no", "off", "False", "");
show("number", "19.90", "", "12 pieces");
show("integer", "5.9", "");
JS
seen=$(node run.mjs)
echo "openapi-request-coercer@12.1.3"
echo "seen: $seen"
[ "$seen" = 'boolean: "true" true, "false" false, "0" true, "no" true, "off" true, "False" true, "" true
number: "19.90" 19.9, "" 0, "12 pieces" "12 pieces"
integer: "5.9" 5, "" 0' ]
