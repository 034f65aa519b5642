#!/usr/bin/env bash
# A base address with a query, …/v1?channel=b2b, and the path /products with page=2: axios and openapi-fetch send /v1?channel=b2b/products…, ofetch the same with %2F, and ky and got /v1?page=2, without the path and without the channel. One would guess
# /v1/products?channel=b2b&page=2, where wretch at least puts the path, or an error.
# The channel, language or public key of a catalog API stands in its address, and is what one wants to say once. The answer is a 200 of another address: the API's root, or all products of a channel that is called "b2b/products".
# Version: axios 1.21.1, openapi-fetch 0.17.0, ofetch 1.5.1, ky 1.14.3, got 14.6.6, beside wretch 2.11.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund axios@1.21.1 openapi-fetch@0.17.0 ofetch@1.5.1 ky@1.14.3 got@14.6.6 wretch@2.11.1
cat > run.js <<'JS'
import { createServer } from "node:http";
import axios from "axios";
import got from "got";
import ky from "ky";
import { ofetch } from "ofetch";
import createClient from "openapi-fetch";
import wretch from "wretch";

const asked = [];
const server = createServer((request, response) => {
  asked.push(request.url);
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});
server.listen(0, "127.0.0.1", async () => {
  const base = `http://127.0.0.1:${server.address().port}/v1?channel=b2b`;
  await axios.create({ baseURL: base }).get("/products", { params: { page: 2 } });
  await createClient({ baseUrl: base }).GET("/products", { params: { query: { page: 2 } } });
  await ofetch("/products", { baseURL: base, query: { page: 2 } });
  await ky.create({ prefixUrl: base }).get("products", { searchParams: { page: 2 } });
  await got.extend({ prefixUrl: base }).get("products", { searchParams: { page: 2 } });
  await wretch(base).url("/products").get().json();
  console.log(asked.join(" "));
  process.exit(0);
});
JS
seen=$(node run.js)
echo "axios@1.21.1 openapi-fetch@0.17.0 ofetch@1.5.1 ky@1.14.3 got@14.6.6 wretch@2.11.1"
echo "seen: $seen"
[ "$seen" = "/v1?channel=b2b/products&page=2 /v1?channel=b2b/products?page=2 /v1?channel=b2b%2Fproducts&page=2 /v1?page=2 /v1?page=2 /v1/products?channel=b2b" ]
