#!/usr/bin/env bash
# The query { category: null, type: undefined, page: 2 } leaves nine HTTP clients as six different addresses. One would guess that what is null or undefined
# is left out; only axios does that. Others send "category=", a bare "category", or the word null, and redaxios and wretch send undefined as well.
# To a catalog API category=null is the category of that name, so "no filter chosen" is answered with a 200 and an empty list, and caches keep a copy for each spelling.
# Version: axios 1.21.1, got 16.1.0, ky 2.1.0, up-fetch 2.6.1, ofetch 1.5.1, superagent 10.4.2, redaxios 0.5.1, wretch 3.0.9, @reduxjs/toolkit 2.15.0, on Node 24.21.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
versions="axios@1.21.1 got@16.1.0 ky@2.1.0 up-fetch@2.6.1 ofetch@1.5.1 superagent@10.4.2 redaxios@0.5.1 wretch@3.0.9 @reduxjs/toolkit@2.15.0"
npm install --silent --no-audit --no-fund $versions
cat > run.js <<'JS'
import { createServer } from "node:http";
import { fetchBaseQuery } from "@reduxjs/toolkit/query";
import axios from "axios";
import got from "got";
import ky from "ky";
import { ofetch } from "ofetch";
import redaxios from "redaxios";
import superagent from "superagent";
import { up } from "up-fetch";
import wretch from "wretch";
import QueryStringAddon from "wretch/addons/queryString";

let asked = "";
const server = createServer(({ url }, response) => {
  asked = url;
  response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const url = `${origin}/products`;
const query = { category: null, type: undefined, page: 2 };
const store = { signal: new AbortController().signal, getState() {}, dispatch() {}, abort() {}, endpoint: "products", type: "query" };
const clients = {
  axios: () => axios.get(url, { params: query }),
  got: () => got(url, { searchParams: query }),
  ky: () => ky(url, { searchParams: query }),
  "RTK Query": () => fetchBaseQuery({ baseUrl: origin })({ url: "/products", params: query }, store, {}),
  "up-fetch": () => up(fetch)(url, { params: query }),
  ofetch: () => ofetch(url, { query }),
  superagent: () => superagent.get(url).query(query),
  redaxios: () => redaxios.get(url, { params: query }),
  wretch: () => wretch(url).addon(QueryStringAddon).query(query).get().res(),
};
for (const [name, ask] of Object.entries(clients)) {
  await ask();
  console.log(`${name} ${asked}`);
}
process.exit();
JS
seen=$(node run.js)
echo "$versions, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'axios /products?page=2
got /products?category=&page=2
ky /products?category=null&page=2
RTK Query /products?category=null&page=2
up-fetch /products?category=null&page=2
ofetch /products?category&page=2
superagent /products?category&page=2
redaxios /products?category=null&type=undefined&page=2
wretch /products?category=&type=&page=2' ]
