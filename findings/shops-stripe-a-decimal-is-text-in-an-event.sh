#!/usr/bin/env bash
# Stripe's Node client makes a Decimal with methods of unit_amount_decimal in a price that it fetched, and leaves the text in the same price inside an event, as a product's expanded default_price, and in the price's
# own currency_options; the types say Decimal of all of them. One would guess one kind for one field. Code that is tested with prices.retrieve() and called by
# a webhook ends with "toFixed is not a function", and both kinds answer + 1 with a longer text.
# Version: stripe 23.1.0 against a server of its own that answers in the documented shape, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund stripe@23.1.0
cat > run.js <<'JS'
import http from "node:http";
import Stripe from "stripe";

const price = {
  id: "price_1", object: "price", currency: "eur", unit_amount: null, unit_amount_decimal: "0.5",
  currency_options: { usd: { unit_amount: null, unit_amount_decimal: "0.5" } },
};
const product = { id: "prod_1", object: "product", default_price: price };
const event = { id: "evt_1", object: "event", type: "price.updated", data: { object: price } };
const answerOf = (path) =>
  path.startsWith("/v1/products/") ? product : path.startsWith("/v1/events/") ? event : price;
const server = http.createServer((request, response) =>
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answerOf(request.url))),
);
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const stripe = new Stripe("sk_test_1", { host: "127.0.0.1", port: server.address().port, protocol: "http" });

const show = (name, value) => console.log(name, typeof value, typeof value.toFixed, String(value), JSON.stringify(value + 1));
const fetched = await stripe.prices.retrieve("price_1");
show("fetched", fetched.unit_amount_decimal);
show("in currency_options", fetched.currency_options.usd.unit_amount_decimal);
const { default_price } = await stripe.products.retrieve("prod_1", { expand: ["default_price"] });
show("expanded", default_price.unit_amount_decimal);
show("in a fetched event", (await stripe.events.retrieve("evt_1")).data.object.unit_amount_decimal);
const payload = JSON.stringify(event);
const header = stripe.webhooks.generateTestHeaderString({ payload, secret: "whsec_1" });
show("in a webhook", stripe.webhooks.constructEvent(payload, header, "whsec_1").data.object.unit_amount_decimal);
server.close();
server.closeAllConnections();
JS
seen=$(node run.js)
echo "stripe@$(node -p 'JSON.parse(fs.readFileSync("node_modules/stripe/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'fetched object function 0.5 "0.51"
in currency_options string undefined 0.5 "0.51"
expanded string undefined 0.5 "0.51"
in a fetched event string undefined 0.5 "0.51"
in a webhook string undefined 0.5 "0.51"' ]
