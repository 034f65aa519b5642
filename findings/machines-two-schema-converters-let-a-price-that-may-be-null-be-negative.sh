#!/usr/bin/env bash
# Of { type: ["number", "null"], minimum: 0 }, a sale price that may be null, arktype's @ark/json-schema makes a check that takes -5, and of a list ["string", "null"] with a pattern one that takes any text, although it
# heeds both beside a single type. @dmitryrechkin/json-schema-to-zod heeds minimum, maximum, pattern and lengths beside no type at all, although the example of its README has `minimum: 0`. Neither says a word.
# One would guess that a converter checks the bound or refuses the schema: the first throws for a multipleOf of 0.01, and its list of limitations does not name this.
# A shop that may say null for a price has its bounds checked by nobody: a discount that goes below zero passes.
# Version: @ark/json-schema 0.0.6 with arktype 2.2.10, @dmitryrechkin/json-schema-to-zod 1.0.1 with zod 3.25.76, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @ark/json-schema@0.0.6 arktype@2.2.10 @dmitryrechkin/json-schema-to-zod@1.0.1 zod@3.25.76
cat > run.js <<'JS'
import { jsonSchemaToType } from "@ark/json-schema";
import { JSONSchemaToZod } from "@dmitryrechkin/json-schema-to-zod";

const schemas = [
  [{ type: "number", minimum: 0 }, -5],
  [{ type: ["number", "null"], minimum: 0 }, -5],
  [{ type: "string", pattern: "^https:" }, "mug"],
  [{ type: ["string", "null"], pattern: "^https:" }, "mug"],
];
const word = (taken) => (taken ? "taken" : "refused");
console.log(`ark: ${schemas.map(([schema, value]) => word(jsonSchemaToType(schema).allows(value)))}`);
console.log(`zod: ${schemas.map(([schema, value]) => word(JSONSchemaToZod.convert(schema).safeParse(value).success))}`);
JS
seen=$(node run.js)
echo "@ark/json-schema 0.0.6, @dmitryrechkin/json-schema-to-zod 1.0.1"
echo "seen: $seen"
[ "$seen" = 'ark: refused,taken,refused,taken
zod: taken,taken,taken,taken' ]
