#!/usr/bin/env bash
# get("products", { after: new Date(…), category: undefined }) of WooCommerce's own client asks https for after=2026-11-01T00:00:00.000Z and for no category. Over http it leaves the day out and asks for the category
# "undefined"; { after } alone gets every product. One would guess that the scheme decides how to sign, and not what is asked for.
# A sync that asks for what has changed since then is tested against a shop on the own machine, where it copies everything.
# Version: @woocommerce/woocommerce-rest-api 1.0.2 against servers of its own that show what arrives, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @woocommerce/woocommerce-rest-api@1.0.2
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out certificate.pem -days 2 -subj /CN=127.0.0.1 2> /dev/null
cat > run.js <<'JS'
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { createRequire } from "node:module";

const { default: WooCommerce } = createRequire(import.meta.url)("@woocommerce/woocommerce-rest-api");
const own = { key: readFileSync("key.pem"), cert: readFileSync("certificate.pem") };
const questions = [{ after: new Date("2026-11-01") }, { category: undefined }, { include: [1, 2], on_sale: false }];
for (const [scheme, create] of [["https", (answer) => https.createServer(own, answer)], ["http", (answer) => http.createServer(answer)]]) {
  let asked = "";
  const server = create((request, response) => {
    asked = request.url;
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const shop = new WooCommerce({
    url: `${scheme}://127.0.0.1:${server.address().port}`,
    consumerKey: "ck_1", consumerSecret: "cs_1", version: "wc/v3",
    axiosConfig: { httpsAgent: new https.Agent({ rejectUnauthorized: false }) },
  });
  for (const question of questions) {
    await shop.get("products", question);
    const query = [...new URL(asked, "http://shop").searchParams].filter(([name]) => name !== "" && !name.startsWith("oauth_"));
    console.log(scheme, JSON.stringify(question), [...new Set(query.map((pair) => pair.join("=")))].join("&"));
  }
  server.close();
  server.closeAllConnections();
}
JS
seen=$(node run.js)
echo "@woocommerce/woocommerce-rest-api@$(node -p 'require("@woocommerce/woocommerce-rest-api/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'https {"after":"2026-11-01T00:00:00.000Z"} after=2026-11-01T00:00:00.000Z
https {} 
https {"include":[1,2],"on_sale":false} include[]=1&include[]=2&on_sale=false
http {"after":"2026-11-01T00:00:00.000Z"} 
http {} category=undefined
http {"include":[1,2],"on_sale":false} include[0]=1&include[1]=2&on_sale=false' ]
