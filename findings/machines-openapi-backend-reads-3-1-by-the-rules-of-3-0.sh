#!/usr/bin/env bash
# openapi-backend lists OpenAPI 3.1 among what it supports and, with strict on, refuses a valid 3.1 document whose price is { type: ["number", "null"] }: it is checked by the schema of
# 3.0, "must be string". The same document with type: "number" passes. One would guess that the version in the document chooses the rules. The errors, some ten for one
# word, name every level above it, so one looks for the fault in one's own document.
# Version: openapi-backend 5.21.2, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund openapi-backend@5.21.2 node@24.21.0
cat > run.js <<'JS'
const { OpenAPIBackend } = require("openapi-backend");

async function main() {
  for (const type of ["number", ["number", "null"]]) {
    const content = { "application/json": { schema: { type: "object", properties: { price: { type } } } } };
    const definition = {
      openapi: "3.1.0",
      info: { title: "Catalog", version: "1" },
      paths: { "/store": { get: { operationId: "getStore", responses: { 200: { description: "The store.", content } } } } },
    };
    const outcome = await new OpenAPIBackend({ definition, strict: true }).init().then(
      () => "accepted",
      (error) => error.message.split(".")[0],
    );
    console.log(JSON.stringify(type), outcome);
  }
}
main();
JS
seen=$(node_modules/.bin/node run.js 2> log)
echo "openapi-backend $(node -p 'require("openapi-backend/package.json").version')"
echo "seen: $seen"
[ "$seen" = '"number" accepted
["number","null"] Document is not valid OpenAPI' ]
