#!/usr/bin/env bash
# An address with an anchor, /products#list, and the parameter page=2: redaxios, xior, up-fetch, wretch, urllib and alova write it to the end, /products#list?page=2, and what follows the # is never sent. @better-fetch/fetch sends
# the # as %23, a part of the path. axios, ofetch and ky send /products?page=2, as one would guess of all, since each platform's URL does it so.
# An address that somebody copies from a page of documentation, or a record's link, has an anchor at times. The answer is a 200: the first page again for every page, or all products in place of one category's, and a loop over pages never ends.
# Version: redaxios 0.5.1, xior 0.8.5, up-fetch 2.6.1, wretch 3.0.9, urllib 4.9.2, alova 3.5.5 and @better-fetch/fetch 1.3.3, beside axios 1.21.1, ofetch 1.5.1 and ky 2.1.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts redaxios@0.5.1 xior@0.8.5 up-fetch@2.6.1 wretch@3.0.9 urllib@4.9.2 alova@3.5.5 @better-fetch/fetch@1.3.3 axios@1.21.1 ofetch@1.5.1 ky@2.1.0
cat > run.js <<'JS'
import { createServer } from "node:http";
import { betterFetch } from "@better-fetch/fetch";
import { createAlova } from "alova";
import alovaFetch from "alova/fetch";
import axios from "axios";
import ky from "ky";
import { ofetch } from "ofetch";
import redaxios from "redaxios";
import { up } from "up-fetch";
import { request } from "urllib";
import wretch from "wretch";
import queryString from "wretch/addons/queryString";
import xior from "xior";

const asked = [];
const server = createServer((request, response) => {
  asked.push(request.url);
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}/products#list`;
const page = { page: 2 };
const alova = createAlova({ requestAdapter: alovaFetch(), responded: (response) => response.json() });
const ways = {
  redaxios: () => (redaxios.default ?? redaxios).get(url, { params: page }),
  xior: () => xior.get(url, { params: page }),
  "up-fetch": () => up(fetch)(url, { params: page }),
  wretch: () => wretch(url).addon(queryString).query(page).get().json(),
  urllib: () => request(url, { data: page, dataType: "json" }),
  alova: () => alova.Get(url, { params: page }).send(),
  "better-fetch": () => betterFetch(url, { query: page }),
  axios: () => axios.get(url, { params: page }),
  ofetch: () => ofetch(url, { query: page }),
  ky: () => ky(url, { searchParams: page }).json(),
};
for (const [name, ask] of Object.entries(ways)) {
  asked.length = 0;
  await ask();
  console.log(name, asked.join(" "));
}
process.exit(0);
JS
seen=$(node run.js)
echo "redaxios@0.5.1 xior@0.8.5 up-fetch@2.6.1 wretch@3.0.9 urllib@4.9.2 alova@3.5.5 @better-fetch/fetch@1.3.3 axios@1.21.1 ofetch@1.5.1 ky@2.1.0"
echo "seen: $seen"
[ "$seen" = "redaxios /products
xior /products
up-fetch /products
wretch /products
urllib /products
alova /products
better-fetch /products%23list?page=2
axios /products?page=2
ofetch /products?page=2
ky /products?page=2" ]
