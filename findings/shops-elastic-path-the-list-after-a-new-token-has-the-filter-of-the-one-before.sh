#!/usr/bin/env bash
# Elastic Path's own client keeps the filter, order and limit of a query on the one object of an endpoint and takes them off when it sends it, except when it must get a token first, as in the first request and after each hour:
# then they stay, and the next list of products, asked for without any, is sent with them. One would guess that each All() begins empty, as the client itself sees to in all other requests.
# Once an hour a program that mirrors or searches the catalog gets the five dearest mugs as the list of all products, with 200; the request after it is right again.
# Version: @elasticpath/js-sdk 35.0.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @elasticpath/js-sdk@35.0.0
cat > run.cjs <<'JS'
const { createServer } = require("node:http");
const { gateway, MemoryStorageFactory } = require("@elasticpath/js-sdk");
const asked = [];
const now = () => Math.floor(Date.now() / 1000);
const shop = createServer((request, answer) => {
  const isToken = request.url.startsWith("/oauth");
  asked.push(isToken ? "a token" : decodeURIComponent(request.url.replace("/v2/products", "") || "all"));
  answer.setHeader("content-type", "application/json");
  answer.end(JSON.stringify(isToken ? { access_token: "invented", expires: now() + 3600, expires_in: 3600, token_type: "Bearer", identifier: "implicit" } : { data: [] }));
}).listen(0, "127.0.0.1", async () => {
  console.info = console.log = () => {};
  const { Products } = gateway({ client_id: "invented", host: `127.0.0.1:${shop.address().port}`, protocol: "http", storage: new MemoryStorageFactory() });
  for (const turn of [1, 2]) {
    asked.push(`turn ${turn}:`);
    await Products.Filter({ eq: { name: "Mug" } }).Sort("-price").Limit(5).All();
    await Products.All();
    await Products.All();
  }
  process.stdout.write(`seen: ${asked.join(" | ")}\n`);
  shop.close(); shop.closeAllConnections();
});
JS
echo "@elasticpath/js-sdk $(node -p 'require("./node_modules/@elasticpath/js-sdk/package.json").version'), Node $(node --version)"
seen=$(node run.cjs)
echo "$seen"
[ "$seen" = 'seen: turn 1: | a token | ?sort=-price&page[limit]=5&filter=eq(name,Mug) | ?sort=-price&page[limit]=5&filter=eq(name,Mug) | all | turn 2: | ?sort=-price&page[limit]=5&filter=eq(name,Mug) | all | all' ]
