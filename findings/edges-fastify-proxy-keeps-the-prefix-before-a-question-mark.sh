#!/usr/bin/env bash
# @fastify/http-proxy with prefix "/v1" asks the upstream for "/" when a reader asks for /v1, and for /v1?page=2, prefix and all, when one asks for /v1?page=2; /v1/?page=2 and /v1/products?page=2 lose the prefix as one would guess
# of all: a query changes nothing about the path.
# A list that is mounted at its own address (/products, with ?page=2 for the rest) works on its first page, and the next pages, filters and searches are 404 from an upstream that knows no such prefix.
# Version: @fastify/http-proxy 11.6.3, fastify 5.12.8, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @fastify/http-proxy@11.6.3 fastify@5.12.8
cat > run.js <<'JS'
import http from "node:http";
import proxy from "@fastify/http-proxy";
import fastify from "fastify";

const upstream = http.createServer((request, response) => response.end(request.url));
await new Promise((done) => upstream.listen(0, "127.0.0.1", done));
const app = fastify();
app.register(proxy, { upstream: `http://127.0.0.1:${upstream.address().port}`, prefix: "/v1" });
const base = await app.listen({ port: 0, host: "127.0.0.1" });
for (const path of ["/v1", "/v1?page=2", "/v1/?page=2", "/v1/products?page=2"]) {
  console.log(path, "->", await (await fetch(base + path)).text());
}
process.exit();
JS
seen=$(node run.js)
for name in @fastify/http-proxy fastify; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
echo "seen: $seen"
[ "$seen" = '/v1 -> /
/v1?page=2 -> /v1?page=2
/v1/?page=2 -> /?page=2
/v1/products?page=2 -> /products?page=2' ]
