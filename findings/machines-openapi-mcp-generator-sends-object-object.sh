#!/usr/bin/env bash
# The MCP server that openapi-mcp-generator writes takes no notice of style and explode: a deepObject filter arrives as "[object Object]", the repeated
# parameter tags=red&tags=blue as the one tag "red,blue", and an integer is offered to the model as a number, so page 1.5 is asked for. One would guess the spelling that the
# OpenAPI document describes. A language model that searches a catalog gets all products, or none, and cannot know why.
# Version: openapi-mcp-generator 4.0.1 with its server's packages, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps openapi-mcp-generator@4.0.1 @modelcontextprotocol/sdk@1.32.2 axios@1.21.1 dotenv@16.6.1 zod@3.25.76 json-schema-to-zod@2.8.1
cat > run.js <<'JS'
import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";

const parameters = [
  { name: "tags", in: "query", explode: true, schema: { type: "array", items: { type: "string" } } },
  { name: "filter", in: "query", style: "deepObject", schema: { type: "object", properties: { brand: { type: "string" } } } },
  { name: "page", in: "query", schema: { type: "integer" } },
];
const server = createServer(({ url }, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ asked: decodeURIComponent(url) }));
});
server.listen(0, "127.0.0.1", () => {
  const get = { operationId: "list", parameters, responses: { 200: { description: "products" } } };
  const servers = [{ url: `http://127.0.0.1:${server.address().port}` }];
  writeFileSync("openapi.json", JSON.stringify({ openapi: "3.1.0", info: { title: "shop", version: "1" }, servers, paths: { "/products": { get } } }));
  execFileSync("node_modules/.bin/openapi-mcp-generator", ["-i", "openapi.json", "-o", "mcp"], { stdio: "ignore" });
  const mcp = spawn(process.execPath, ["--experimental-strip-types", "mcp/src/index.ts"], { stdio: ["pipe", "pipe", "ignore"] });
  const send = (message) => mcp.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let text = "";
  mcp.stdout.on("data", (data) => {
    text += data;
    const lines = text.split("\n");
    text = lines.pop();
    for (const { id, result } of lines.map((line) => JSON.parse(line))) {
      if (id === 1) {
        send({ method: "notifications/initialized" });
        send({ id: 2, method: "tools/call", params: { name: "list", arguments: { tags: ["red", "blue"], filter: { brand: "Ox" }, page: 1.5 } } });
      } else {
        console.log(/"asked": "(.*)"/.exec(result.content[0].text)[1]);
        mcp.kill();
        server.close();
        server.closeAllConnections();
      }
    }
  });
  send({ id: 1, method: "initialize", params: { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "reader", version: "1" } } });
});
JS
seen=$(timeout 60 node run.js)
echo "openapi-mcp-generator@4.0.1"
echo "seen: $seen"
[ "$seen" = '/products?tags=red,blue&filter=[object+Object]&page=1.5' ]
