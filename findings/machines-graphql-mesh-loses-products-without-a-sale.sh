#!/usr/bin/env bash
# GraphQL Mesh makes "sale: Float!" of a required property with type: ["number", "null"] in OpenAPI 3.1: each product whose sale is null is null as a whole in the answer, with an error. anyOf number and null in 3.1 and nullable: true in
# 3.0 give "sale: Float", as one would guess of all three, since they say the same. And an integer without limits is Int, of 32 bits, so the product with the id 12345678901 is null as well.
# A gateway over a catalog API shows the products that are on sale, and holes for all others: null in a list is the usual case of a sale's price.
# Version: @omnigraph/openapi 0.112.4, graphql 16.15.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @omnigraph/openapi@0.112.4 graphql@16.15.0
cat > run.mjs <<'JS'
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { loadGraphQLSchemaFromOpenAPI } from "@omnigraph/openapi";
import { graphql } from "graphql";

const products = [{ id: 1, sale: 5 }, { id: 2, sale: null }, { id: 12345678901, sale: 5 }];
const server = createServer((_request, response) => {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(products));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const ask = async (openapi, sale, field) => {
  const items = { title: "Product", type: "object", required: ["id", "sale"], properties: { id: { type: "integer" }, sale } };
  const content = { "application/json": { schema: { type: "array", items } } };
  writeFileSync("shop.json", JSON.stringify({
    openapi,
    info: { title: "Shop", version: "1" },
    servers: [{ url: `http://127.0.0.1:${server.address().port}` }],
    paths: { "/products": { get: { operationId: "products", responses: { 200: { description: "Products", content } } } } },
  }));
  const schema = await loadGraphQLSchemaFromOpenAPI("shop", { source: "./shop.json", cwd: process.cwd(), fetch });
  const { data } = await graphql({ schema, source: `{ products { ${field} } }`, contextValue: {} });
  return `${schema.getType("Product").getFields()[field].type} ${JSON.stringify(data.products)}`;
};
console.log(`type list: ${await ask("3.1.0", { type: ["number", "null"] }, "sale")}`);
console.log(`anyOf: ${await ask("3.1.0", { anyOf: [{ type: "number" }, { type: "null" }] }, "sale")}`);
console.log(`3.0: ${await ask("3.0.3", { type: "number", nullable: true }, "sale")}`);
console.log(`id: ${await ask("3.0.3", { type: "number", nullable: true }, "id")}`);
process.exit(0);
JS
seen=$(node run.mjs 2> log)
echo "@omnigraph/openapi@0.112.4 graphql@16.15.0"
echo "seen: $seen"
[ "$seen" = 'type list: Float! [{"sale":5},null,{"sale":5}]
anyOf: Float [{"sale":5},{"sale":null},{"sale":5}]
3.0: Float [{"sale":5},{"sale":null},{"sale":5}]
id: Int! [{"id":1},{"id":2},null]' ]
