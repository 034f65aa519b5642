#!/usr/bin/env bash
# openapi-minifier makes an OpenAPI document short for agents and is to keep what they need. As it comes (preset balanced), a product has no field `title` and no field `format` any more, and a sale price that may be null
# never is: it takes every key of these names for an annotation, also among `properties`, where the names are those of fields. `required` goes on to name them.
# One would guess that a program that walks through a schema knows that a key below `properties` is a name. Title, format (of a book, a picture, a download) and pattern (of a fabric) are fields of many catalogs.
# An agent that reads the short document is told of products that have an id and a price, and no name.
# Version: openapi-minifier 1.0.2, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund openapi-minifier@1.0.2
cat > shop.json <<'JSON'
{
  "openapi": "3.0.3",
  "info": { "title": "Shop", "version": "1" },
  "paths": { "/product": { "get": { "responses": { "200": { "description": "A product.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Product" } } } } } } } },
  "components": { "schemas": { "Product": {
    "type": "object",
    "required": ["id", "title", "format", "sale_price"],
    "properties": {
      "id": { "type": "integer" },
      "title": { "type": "string" },
      "format": { "type": "string" },
      "sale_price": { "type": "number", "nullable": true }
    }
  } } }
}
JSON
node node_modules/openapi-minifier/dist/cli.js shop.json -o short.json > log
seen=$(node -p 'JSON.stringify(JSON.parse(fs.readFileSync("short.json")).components.schemas.Product)')
echo "openapi-minifier $(node -p 'require("openapi-minifier/package.json").version')"
echo "seen: $seen"
[ "$seen" = '{"type":"object","required":["id","title","format","sale_price"],"properties":{"id":{"type":"integer"},"sale_price":{"type":"number"}}}' ]
