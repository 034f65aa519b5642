#!/usr/bin/env bash
# products.update("prod_1", { images: [], marketing_features: [] }) of Stripe's Node client sends no word of either: the request has an empty body, and the product that comes back keeps its pictures. One would
# guess that an empty list empties the list, or that it is refused; null and "" are sent, as images=.
# A program that copies a catalog to Stripe never takes the last picture or feature away, and is told 200.
# Version: stripe 23.1.0 against a server of its own that shows what arrives, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund stripe@23.1.0
cat > run.js <<'JS'
import http from "node:http";
import { text } from "node:stream/consumers";
import Stripe from "stripe";

const server = http.createServer(async (request, response) => {
  console.log(`  sent: ${JSON.stringify(await text(request))}`);
  response.writeHead(200, { "content-type": "application/json" }).end('{"id":"prod_1","object":"product"}');
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const stripe = new Stripe("sk_test_1", { host: "127.0.0.1", port: server.address().port, protocol: "http" });
for (const change of [{ images: [], marketing_features: [] }, { images: ["https://shop.example/a.png"] }, { images: "" }, { images: null }]) {
  console.log(JSON.stringify(change));
  await stripe.products.update("prod_1", change);
}
server.close();
server.closeAllConnections();
JS
seen=$(node run.js)
echo "stripe@$(node -p 'JSON.parse(fs.readFileSync("node_modules/stripe/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '{"images":[],"marketing_features":[]}
  sent: ""
{"images":["https://shop.example/a.png"]}
  sent: "images[0]=https%3A%2F%2Fshop.example%2Fa.png"
{"images":""}
  sent: "images="
{"images":null}
  sent: "images="' ]
