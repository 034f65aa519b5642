#!/usr/bin/env bash
# fast-json-stringify (Fastify's answers with a schema) writes null as 0 where the schema says number, as false for boolean and as "" for string, and any value of a property
# with "const" as that constant. It is a serializer, not a validator: one would guess null or an error. A product without a price costs 0,
# and no error tells; a default in the schema helps for a missing field only.
# Version: fast-json-stringify 7.3.10.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund fast-json-stringify@7.3.10
cat > run.js <<'JS'
import build from "fast-json-stringify";

const write = build({
  type: "object",
  properties: { price: { type: "number", default: 5 }, available: { type: "boolean" }, ean: { type: "string" }, currency: { const: "EUR" } },
});
console.log(write({ price: null, available: null, ean: null, currency: "USD" }));
console.log(write({ available: "false" }));
JS
seen=$(node run.js)
echo "fast-json-stringify@7.3.10"
echo "seen: $seen"
[ "$seen" = '{"price":0,"available":false,"ean":"","currency":"EUR"}
{"price":5,"available":true}' ]
