#!/usr/bin/env bash
# Zod 4's own z.fromJSONSchema refuses aloud what it cannot check ("not is not supported in Zod"). But of a schema that says `properties` and `required` without `type: object`, it makes z.any(), also inside of another: a pricing that is
# a text passes, an allOf of such parts passes everything. So does a field that only `required` names, and `required` beside a $ref. No message for any of them.
# One would guess that it checks what it does not refuse: JSON Schema has no need of `type`, OpenAPI documents that share parts by allOf leave it out, and the same words with the type are checked.
# Who checks a catalog's answers by the shop's own schema has a check that says yes to all, and learns of it when a price is missing.
# Version: zod 4.6.7, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund zod@4.6.7
cat > run.js <<'JS'
import * as z from "zod";

const priced = { properties: { price: { type: "number" } }, required: ["price"] };
const named = { type: "object", properties: { name: { type: "string" } } };
const taken = (schema, value) => (z.fromJSONSchema(schema).safeParse(value).success ? "taken" : "refused");
console.log([
  `with type: ${taken({ type: "object", ...priced }, {})}`,
  `without: ${taken(priced, {})}, ${taken(priced, { price: "free" })}`,
  `nested: ${taken({ type: "object", properties: { pricing: priced }, required: ["pricing"] }, { pricing: "free" })}`,
  `allOf: ${taken({ allOf: [named, priced] }, { name: "Mug" })}`,
  `required alone: ${taken({ ...named, required: ["id"] }, { name: "Mug" })}`,
  `beside $ref: ${taken({ $ref: "#/$defs/named", required: ["name"], $defs: { named } }, {})}`,
].join("; "));
JS
seen=$(node run.js)
echo "zod $(node -p 'require("zod/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'with type: refused; without: taken, taken; nested: taken; allOf: taken; required alone: taken; beside $ref: taken' ]
