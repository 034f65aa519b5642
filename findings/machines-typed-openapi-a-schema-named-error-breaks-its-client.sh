#!/usr/bin/env bash
# A component named Error is usual in OpenAPI documents, and a generator that writes a client could be expected to keep it apart from
# JavaScript's own Error. typed-openapi writes `export const Error = …` and, below it, a class that extends Error: importing the file throws.
# A catalog API whose envelope of errors is named so has a valid document and no client; without the client (--include-client false) it works.
# Version: typed-openapi@2.2.7, zod@4.6.7, seen on Node 24.21.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund typed-openapi@2.2.7 zod@4.6.7 esbuild@0.28.2
cat > api.json <<'J'
{"openapi":"3.1.0","info":{"title":"Shop","version":"1"},"paths":{"/store":{"get":{"operationId":"getStore","parameters":[],"responses":{
"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}}}},
"400":{"description":"no","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Error"}}}}}}}},
"components":{"schemas":{"Error":{"type":"object","required":["code"],"properties":{"code":{"type":"string"}}}}}}
J
import_of() {
  node_modules/.bin/typed-openapi "$1" -o "$2.ts" -r zod > /dev/null
  node_modules/.bin/esbuild "$2.ts" --bundle --format=esm --outfile="$2.mjs" --log-level=error
  node -e 'import(process.argv[1]).then(() => console.log("imported"), (error) => console.log(error.message))' "$dir/$2.mjs"
}
sed 's/Error"/Failure"/g' api.json > renamed.json
named=$(import_of api.json named)
renamed=$(import_of renamed.json renamed)
echo "typed-openapi $(node -p 'require("typed-openapi/package.json").version' 2> /dev/null || echo 2.2.7)"
echo "seen: Error: $named / Failure: $renamed"
[[ "$named" == *"not a constructor"* ]] && [ "$renamed" = imported ]
