#!/usr/bin/env bash
# An empty list of ids is sent as "?ids=" by swagger-client and hey-api's client and as no parameter at all by openapi-fetch; the empty text q is sent as "?q=" by
# the latter two and left out by swagger-client. One would guess that clients of one OpenAPI document send one address. An empty basket, or the last
# filter unticked, is answered with nothing by the one and with the whole catalog by the other.
# Version: swagger-client 3.39.0, @hey-api/client-fetch 0.13.1, openapi-fetch 0.17.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts swagger-client@3.39.0 @hey-api/client-fetch@0.13.1 openapi-fetch@0.17.0
cat > run.js <<'JS'
import { createServer } from "node:http";
import { createClient, createConfig } from "@hey-api/client-fetch";
import createFetchClient from "openapi-fetch";
import SwaggerClient from "swagger-client";

let asked = "";
const server = createServer(({ url }, response) => {
  asked = url;
  response.setHeader("content-type", "application/json");
  response.end("{}");
});
server.listen(0, "127.0.0.1", async () => {
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const parameters = [
    { name: "ids", in: "query", explode: false, schema: { type: "array", items: { type: "string" } } },
    { name: "q", in: "query", schema: { type: "string" } },
  ];
  const get = { operationId: "list", parameters, responses: { 200: { description: "products" } } };
  const spec = { openapi: "3.1.0", info: { title: "shop", version: "1" }, servers: [{ url: baseUrl }], paths: { "/products": { get } } };
  const querySerializer = { array: { style: "form", explode: false } };
  const swagger = await SwaggerClient({ spec });
  const clients = {
    "swagger-client": (query) => swagger.apis.default.list(query),
    "hey-api": (query) => createClient(createConfig({ baseUrl, querySerializer })).get({ url: "/products", query }),
    "openapi-fetch": (query) => createFetchClient({ baseUrl, querySerializer }).GET("/products", { params: { query } }),
  };
  for (const [name, list] of Object.entries(clients))
    for (const query of [{ ids: ["1", "2"] }, { ids: [] }, { q: "" }]) {
      await list(query);
      console.log(`${name} ${JSON.stringify(query)} ${asked}`);
    }
  server.close();
  server.closeAllConnections();
});
JS
seen=$(node run.js)
echo "swagger-client@3.39.0 @hey-api/client-fetch@0.13.1 openapi-fetch@0.17.0"
echo "seen: $seen"
[ "$seen" = 'swagger-client {"ids":["1","2"]} /products?ids=1,2
swagger-client {"ids":[]} /products?ids=
swagger-client {"q":""} /products
hey-api {"ids":["1","2"]} /products?ids=1,2
hey-api {"ids":[]} /products?ids=
hey-api {"q":""} /products?q=
openapi-fetch {"ids":["1","2"]} /products?ids=1,2
openapi-fetch {"ids":[]} /products
openapi-fetch {"q":""} /products?q=' ]
