#!/usr/bin/env bash
# Fastify answers ?page=two with 400. As soon as the route describes what its 400 looks like, { success, error } with success required, as the API's OpenAPI document wants it, the same request is answered with 500: Fastify writes its own
# error, { statusCode, code, error, message }, by that description, and a required field is missing. If nothing is required, it is a 400 that says {"error":{}}.
# One would guess that the description concerns what handlers send, or that the own error is left as it is. An error handler that writes the API's form heals it.
# The more exactly a catalog API documents its errors, the more of its clients' misspelt parameters page its operators at night: 500 is what alarms count, and clients ask a 500 again.
# Version: fastify 5.12.8, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund fastify@5.12.8
cat > run.js <<'JS'
import Fastify from "fastify";

const properties = { success: { type: "boolean" }, error: { type: "object", properties: { code: { type: "string" } } } };
const querystring = { type: "object", properties: { page: { type: "integer" } } };
const documented = { type: "object", properties };
for (const response of [{}, { 400: documented }, { 400: { ...documented, required: ["success", "error"] } }]) {
  const app = Fastify();
  app.get("/products", { schema: { querystring, response } }, async () => []);
  const { statusCode, body } = await app.inject("/products?page=two");
  console.log(`${statusCode} ${body}`);
}
JS
seen=$(node run.js)
echo "fastify $(node -p 'require("fastify/package.json").version')"
echo "seen: $seen"
[ "$(cut -c1-31 <<< "$seen")" = '400 {"statusCode":400,"code":"F
400 {"error":{}}
500 {"statusCode":500,"code":"F' ]
