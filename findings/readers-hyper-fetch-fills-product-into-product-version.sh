#!/usr/bin/env bash
# Hyper-fetch fills the parameters of an address in by replacing their names as texts, in the order of the given values: in "/product/:product/version/:productVersion", :product is also the beginning of :productVersion, and { product: "mug", productVersion: "1.10" } asks
# for /product/mug/version/mugVersion. With { productVersion, product } each gets its own. One would guess that a name ends where its letters end, as in Express and in TypeScript's type of this very address.
# An address of a product's part names both: id and idReview, lang and language. The answer is a 404, or that of something else.
# Version: @hyper-fetch/core 8.2.4, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @hyper-fetch/core@8.2.4
cat > run.js <<'JS'
import { createServer } from "node:http";
import { createClient } from "@hyper-fetch/core";

const server = createServer(({ url }, response) => {
  response.setHeader("content-type", "application/json").end(JSON.stringify(url));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const client = createClient({ url: `http://127.0.0.1:${server.address().port}` });
const endpoint = "/product/:product/version/:productVersion";
for (const params of [{ product: "mug", productVersion: "1.10" }, { productVersion: "1.10", product: "mug" }]) {
  const { data } = await client.createRequest()({ endpoint, method: "GET" }).setParams(params).send();
  console.log(`${Object.keys(params)}: ${data}`);
}
process.exit(0);
JS
seen=$(timeout 60 node run.js | paste -sd';')
echo "@hyper-fetch/core@8.2.4"
echo "seen: $seen"
[ "$seen" = 'product,productVersion: /product/mug/version/mugVersion;productVersion,product: /product/mug/version/1.10' ]
