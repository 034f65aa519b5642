#!/usr/bin/env bash
# got with a cache (its option `cache`, cacheable-request inside) answers /search?q=usb+c, the words "usb" and "c", with what it has of /search?q=usb%2Bc, the word "usb+c", and does not ask; tags=screws,M4, two tags, gets the answer of
# tags=screws%2CM4, one tag. An address is normalized and unescaped to become the key of its answer. One would guess that each address has its own answer, as HTTP says (RFC 9111, 2: "the target URI"), or at most that a normal form
# leaves escapes which change the meaning (RFC 3986, 2.2). undici's cache keeps them apart.
# A reader of a catalog gets a wrong list with a 200, for as long as the lists may be kept, and the shop's logs have no request to look at.
# Version: got 16.1.0 with cacheable-request 13.0.19 and its normalize-url 8, undici 8.13.1, on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund got@16.1.0 cacheable-request@13.0.19 undici@8.13.1
cat > run.js <<'JS'
import { createServer } from "node:http";
import got from "got";
import { Agent, interceptors, request } from "undici";

const server = createServer(({ url }, response) => {
  response.writeHead(200, { "Content-Type": "text/plain", "Cache-Control": "max-age=60" }).end(url);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${server.address().port}`;
const withCache = got.extend({ cache: new Map() });
const dispatcher = new Agent().compose(interceptors.cache());
const clients = {
  got: (url) => withCache(url).text(),
  undici: async (url) => (await request(url, { dispatcher })).body.text(),
};
for (const [name, ask] of Object.entries(clients))
  for (const path of ["/search?q=usb%2Bc", "/search?q=usb+c", "/products?tags=screws%2CM4", "/products?tags=screws,M4"])
    console.log(`${name} ${path}: the answer of ${await ask(origin + path)}`);
process.exit();
JS
seen=$(node run.js)
echo "got@16.1.0 with cacheable-request@13.0.19, undici@8.13.1, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'got /search?q=usb%2Bc: the answer of /search?q=usb%2Bc
got /search?q=usb+c: the answer of /search?q=usb%2Bc
got /products?tags=screws%2CM4: the answer of /products?tags=screws%2CM4
got /products?tags=screws,M4: the answer of /products?tags=screws%2CM4
undici /search?q=usb%2Bc: the answer of /search?q=usb%2Bc
undici /search?q=usb+c: the answer of /search?q=usb+c
undici /products?tags=screws%2CM4: the answer of /products?tags=screws%2CM4
undici /products?tags=screws,M4: the answer of /products?tags=screws,M4' ]
