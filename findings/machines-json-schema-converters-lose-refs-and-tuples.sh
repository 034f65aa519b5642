#!/usr/bin/env bash
# json-schema-to-zod makes z.any() of a $ref to the schema's own $defs, so a record of any shape passes, and json-schema-to-typescript makes never[] of a list with prefixItems: no
# element is allowed. Neither warns. One would guess that both read JSON Schema 2020-12, the language of OpenAPI 3.1, or refuse it.
# A client that checks a catalog with the first checks nothing in nested records; with the second it cannot use a pair of prices.
# Version: json-schema-to-zod 2.8.1, json-schema-to-typescript 16.0.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund json-schema-to-zod@2.8.1 json-schema-to-typescript@16.0.0
cat > run.js <<'JS'
import { compile } from "json-schema-to-typescript";
import { jsonSchemaToZod } from "json-schema-to-zod";

const price = { type: "object", properties: { amount: { type: "string" } }, required: ["amount"] };
const range = { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], items: false };
const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", $defs: { price }, type: "object", properties: { price: { $ref: "#/$defs/price" }, range } };
console.log(jsonSchemaToZod(schema).match(/"price": ([^ ,]+)/)[1]);
console.log((await compile(schema, "Product", { bannerComment: "" })).match(/range\?: [^;]+/)[0]);
JS
seen=$(node run.js)
echo "json-schema-to-zod@2.8.1 json-schema-to-typescript@16.0.0"
echo "seen: $seen"
[ "$seen" = 'z.any().optional()
range?: never[]' ]
