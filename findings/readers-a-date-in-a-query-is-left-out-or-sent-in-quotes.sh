#!/usr/bin/env bash
# A Date as the parameter updated_since: openapi-fetch leaves it out without a word, ofetch (Nuxt's $fetch and useFetch) sends it in quotation marks, "2026-11-29T23:30:00.000Z", and ky as "Sun Nov 29 2026 …", in the reader's time zone.
# axios, superagent and up-fetch send what a good engineer would guess of all, the ISO time that JSON has; got refuses it.
# openapi-fetch is used with the types of openapi-typescript, whose documentation shows how to make date-time a Date: then the compiler wants the Date that is not sent, and each "what has changed since" is answered with
# the whole catalog, with a 200. What ofetch sends is a 400, or a text that is below all times, which gives the whole catalog, too.
# Version: openapi-fetch 0.17.0, ofetch 1.5.1, ky 2.1.0, axios 1.21.1, superagent 10.4.2, up-fetch 2.6.1, got 16.1.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
versions="openapi-fetch@0.17.0 ofetch@1.5.1 ky@2.1.0 axios@1.21.1 superagent@10.4.2 up-fetch@2.6.1 got@16.1.0"
npm install --silent --no-audit --no-fund $versions
cat > run.js <<'JS'
import { createServer } from "node:http";
import axios from "axios";
import got from "got";
import ky from "ky";
import { ofetch } from "ofetch";
import createClient from "openapi-fetch";
import superagent from "superagent";
import { up } from "up-fetch";

let asked = "";
const server = createServer(({ url }, response) => {
  asked = decodeURIComponent(url.replaceAll("+", " "));
  response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${server.address().port}`;
const url = `${origin}/products`;
const query = { updated_since: new Date("2026-11-29T23:30:00Z"), page: 1 };
const clients = {
  "openapi-fetch": () => createClient({ baseUrl: origin }).GET("/products", { params: { query } }),
  ofetch: () => ofetch(url, { query }),
  ky: () => ky(url, { searchParams: query }),
  axios: () => axios.get(url, { params: query }),
  superagent: () => superagent.get(url).query(query),
  "up-fetch": () => up(fetch)(url, { params: query }),
  got: () => got(url, { searchParams: query }),
};
for (const [name, ask] of Object.entries(clients)) {
  asked = "nothing";
  await ask().catch(() => undefined);
  console.log(`${name}: ${asked}`);
}
process.exit();
JS
seen=$(TZ=UTC node run.js)
echo "$versions"
echo "seen: $seen"
[ "$seen" = 'openapi-fetch: /products?&page=1
ofetch: /products?updated_since="2026-11-29T23:30:00.000Z"&page=1
ky: /products?updated_since=Sun Nov 29 2026 23:30:00 GMT+0000 (Coordinated Universal Time)&page=1
axios: /products?updated_since=2026-11-29T23:30:00.000Z&page=1
superagent: /products?updated_since=2026-11-29T23:30:00.000Z&page=1
up-fetch: /products?updated_since=2026-11-29T23:30:00.000Z&page=1
got: nothing' ]
