#!/usr/bin/env bash
# In OpenAPI 3.1 a currency may be null by "enum": ["EUR", null], and a brand by "type": ["object", "null"]. swagger-typescript-api writes `"EUR"` and an object for them, for a type by
# itself too (`enum Currency { EUR }`), but keeps the null of numbers, texts and lists. One would guess that a generator which reads 3.1 keeps null for all types, as oazapfts does.
# TypeScript then accepts `product.brand.name`, and the program stops at the first product without a brand. anyOf with {"type": "null"} beside the object or the enum is read by both.
# Version: swagger-typescript-api 13.13.0, oazapfts 7.5.0, seen on Node 24.21.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts swagger-typescript-api@13.13.0 oazapfts@7.5.0
cat > api.json <<'J'
{"openapi":"3.1.0","info":{"title":"Shop","version":"1"},"paths":{"/product":{"get":{"operationId":"getProduct","responses":{"200":{"description":"ok",
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Product"}}}}}}}},"components":{"schemas":{"Product":{"type":"object",
"required":["price","tags","currency","status","brand","safe","safer"],"properties":{
"price":{"type":["number","null"]},"tags":{"type":["array","null"],"items":{"type":"string"}},
"currency":{"enum":["EUR",null]},"status":{"type":["string","null"],"enum":["new",null]},
"brand":{"type":["object","null"],"required":["name"],"properties":{"name":{"type":"string"}}},
"safe":{"anyOf":[{"enum":["EUR"]},{"type":"null"}]},
"safer":{"anyOf":[{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}},{"type":"null"}]}}}}}}
J
node_modules/.bin/swagger-typescript-api generate -p api.json -o . -n first.ts > generator.log 2>&1 || { cat generator.log; exit 1; }
node_modules/.bin/oazapfts api.json second.ts
# On one line: the type Product, from its name to the end of its last field.
product() { tr -d '\n' < "$1" | sed 's|/\*[^/]*\*/||g; s/  */ /g' | grep -o 'Product \(= \)\?{ price.*safer: {[^}]*} | null;'; }
first=$(product first.ts)
second=$(product second.ts)
echo "swagger-typescript-api 13.13.0, oazapfts 7.5.0"
echo "seen: $first"
echo "      $second"
[ "$first" = 'Product { price: number | null; tags: string[] | null; currency: "EUR"; status: "new"; brand: { name: string; }; safe: "EUR" | null; safer: { name: string; } | null;' ]
[[ "$second" = *'currency: "EUR" | null;'*'brand: { name: string; } | null;'* ]]
