#!/usr/bin/env bash
# Apollo's RESTDataSource joins two GETs of one address that run at the same time, whatever their headers: asked for English and German at once, it
# sends one request and gives English to both, though the answer says "Vary: Accept-Language". One after the other, both are right. One would guess
# that the headers belong to the key. A GraphQL layer over a catalog API shows one language for another, or one customer's prices to the next.
# Version: @apollo/datasource-rest 6.4.1 with graphql 16.11.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @apollo/datasource-rest@6.4.1 graphql@16.11.0
cat > run.js <<'JS'
import { createServer } from "node:http";
import { RESTDataSource } from "@apollo/datasource-rest";

let requests = 0;
const server = createServer(({ headers }, response) => {
  requests++;
  response.setHeader("content-type", "application/json");
  response.setHeader("vary", "accept-language");
  response.end(JSON.stringify({ title: headers["accept-language"] === "de" ? "Tasse" : "Mug" }));
}).listen(0, "127.0.0.1", async () => {
  class Catalog extends RESTDataSource {
    baseURL = `http://127.0.0.1:${server.address().port}/`;
    product = (language) => this.get("products/1.json", { headers: { "accept-language": language } });
  }
  const catalog = new Catalog();
  const together = await Promise.all([catalog.product("en"), catalog.product("de")]);
  console.log(`at once: ${together.map(({ title }) => title).join()} (${requests} request)`);
  const apart = [await catalog.product("en"), await catalog.product("de")];
  console.log(`one after the other: ${apart.map(({ title }) => title).join()}`);
  server.close();
  server.closeAllConnections();
});
JS
seen=$(node run.js)
echo "@apollo/datasource-rest@6.4.1"
echo "seen: $seen"
[ "$seen" = 'at once: Mug,Mug (1 request)
one after the other: Mug,Tasse' ]
