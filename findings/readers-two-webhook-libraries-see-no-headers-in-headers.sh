#!/usr/bin/env bash
# standardwebhooks and svix are given the headers of a delivery. Given the Headers object of a fetch Request, which every edge, Next and Hono hand over, they say "Missing required headers", as for a
# request without a signature: they read its properties, and it has none. One would guess that it works, or that the object is refused as such. And
# verify gives the parsed payload in standardwebhooks and undefined in svix, the library that it came from.
# A shop's "product changed" hook fails with a message that sends one to look at the sender.
# Version: standardwebhooks 1.1.1, svix 2.5.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund standardwebhooks@1.1.1 svix@2.5.0 node@24.21.0
cat > run.js <<'JS'
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";

const body = '{"type":"product.updated"}';
for (const [name, Webhook] of [["standardwebhooks", StandardWebhook], ["svix", SvixWebhook]]) {
  const webhook = new Webhook("whsec_" + Buffer.from("an example of a secret").toString("base64"));
  const now = new Date();
  const headers = { "webhook-id": "1", "webhook-timestamp": String(Math.floor(now / 1000)), "webhook-signature": webhook.sign("1", now, body) };
  let given;
  try {
    given = webhook.verify(body, new Headers(headers));
  } catch (error) {
    given = error.message;
  }
  console.log(name, JSON.stringify(webhook.verify(body, headers)), given);
}
JS
seen=$("$dir/node_modules/.bin/node" run.js)
echo "node $("$dir/node_modules/.bin/node" -v)"
echo "seen: $seen"
[ "$seen" = 'standardwebhooks {"type":"product.updated"} Missing required headers
svix undefined Missing required headers' ]
