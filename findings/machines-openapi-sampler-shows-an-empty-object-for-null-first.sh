#!/usr/bin/env bash
# openapi-sampler (the example answers of Redoc and others) shows {} for anyOf or oneOf whose first part is null, and the text for the same parts in another order; type: ["null", "string"]
# is null. A price with a pattern is shown as "string", a number with multipleOf 0.05 as 0.01. One would guess null, and a value that the schema accepts.
# The example of a catalog's documentation then has an object where the API never gives one.
# Version: openapi-sampler 1.7.10.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund openapi-sampler@1.7.10
cat > run.js <<'JS'
import { sample } from "openapi-sampler";

const nothing = { type: "null" };
const text = { type: "string" };
const shapes = [{ anyOf: [nothing, text] }, { anyOf: [text, nothing] }, { oneOf: [nothing, text] }, { type: ["null", "string"] }];
console.log(shapes.map((schema) => JSON.stringify(sample(schema))).join(" "));
console.log(sample({ type: "string", pattern: "^[0-9]+\\.[0-9]{2}$" }), sample({ type: "number", multipleOf: 0.05, minimum: 0.01 }));
JS
seen=$(node run.js)
echo "openapi-sampler@1.7.10"
echo "seen: $seen"
[ "$seen" = '{} "string" {} null
string 0.01' ]
