#!/usr/bin/env bash
# `const: false` and `enum: [false]` say the same in JSON Schema, so tools could be expected to treat them alike. openapi-zod-client writes any
# boolean for the first and the literal for the second; the down-converter to OpenAPI 3.0 turns `const: true` into an enum and leaves `const: false`.
# An API that tells errors from answers by `success` loses that in the client, or gets a document that is no valid OpenAPI 3.0: an enum of one value says it to both.
# Version: openapi-zod-client@1.18.3, @apiture/openapi-down-convert@0.14.2, seen on Node 24.21.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund openapi-zod-client@1.18.3 @apiture/openapi-down-convert@0.14.2
cat > api.json <<'J'
{"openapi":"3.1.0","info":{"title":"Shop","version":"1"},"paths":{"/store":{"get":{"operationId":"getStore","responses":{
"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Answer"}}}}}}}},
"components":{"schemas":{"Answer":{"type":"object","required":["constTrue","constFalse","enumFalse"],"properties":{
"constTrue":{"type":"boolean","const":true},"constFalse":{"type":"boolean","const":false},"enumFalse":{"type":"boolean","enum":[false]}}}}}}
J
node_modules/.bin/openapi-zod-client api.json -o client.ts > /dev/null
zod=$(grep -o '\(const\|enum\)\(True\|False\): z[^,]*' client.ts | sort -u | tr '\n' ' ')
older=$(node -e '
const { Converter } = require("@apiture/openapi-down-convert");
const { Answer } = new Converter(require("./api.json"), {}).convert().components.schemas;
console.log(JSON.stringify(Answer.properties));')
echo "openapi-zod-client 1.18.3, openapi-down-convert 0.14.2"
echo "seen: $zod/ 3.0: $older"
[[ "$zod" == *"constFalse: z.boolean()"*"constTrue: z.boolean()"*"enumFalse: z.literal(false)"* ]]
[[ "$older" == *'"constTrue":{"type":"boolean","enum":[true]}'*'"constFalse":{"type":"boolean","const":false}'* ]]
