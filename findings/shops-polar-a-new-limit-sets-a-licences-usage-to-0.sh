#!/usr/bin/env bash
# Polar's client: licenseKeys.update({ licenseKeyUpdate: { limitUsage: 5 } }) sends {"usage":0,"limit_usage":5}: the count of how often the key was used begins anew. One would guess that a PATCH carries what was given, as
# products.update, customers.update and discounts.update of the same client do; the schema of this one has a default of 0 for "usage", and the client fills defaults in before it sends.
# Raising a customer's limit, or changing the date on which a key ends, gives all uses back, without a word of it in the program.
# Version: @polar-sh/sdk@0.49.0, seen on Node 24 against a local server that writes down what it is sent.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" @polar-sh/sdk@0.49.0
cat > "$dir/update.cjs" << 'END'
const { createServer } = require("node:http");
const { Polar } = require("@polar-sh/sdk");
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => { body += part; }).on("end", () => {
    console.log(request.method, request.url, body);
    response.setHeader("Content-Type", "application/json").end("{}");
  });
}).listen(0, "127.0.0.1", async () => {
  const polar = new Polar({ accessToken: "none", serverURL: `http://127.0.0.1:${server.address().port}` });
  const ignore = () => {}; // the answer {} is no licence: only the request matters here
  await polar.products.update({ id: "p1", productUpdate: { name: "Mug kit" } }).catch(ignore);
  await polar.licenseKeys.update({ id: "k1", licenseKeyUpdate: { limitUsage: 5 } }).catch(ignore);
  await polar.licenseKeys.update({ id: "k1", licenseKeyUpdate: { expiresAt: new Date("2027-01-01T00:00:00Z") } }).catch(ignore);
  server.close();
  server.closeAllConnections();
});
END
seen="$(node "$dir/update.cjs")"
echo "@polar-sh/sdk $(node -p "require('$dir/node_modules/@polar-sh/sdk/package.json').version"), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'PATCH /v1/products/p1 {"name":"Mug kit"}
PATCH /v1/license-keys/k1 {"usage":0,"limit_usage":5}
PATCH /v1/license-keys/k1 {"usage":0,"expires_at":"2027-01-01T00:00:00.000Z"}' ]
