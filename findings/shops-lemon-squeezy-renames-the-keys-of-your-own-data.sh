#!/usr/bin/env bash
# Lemon Squeezy's client sends the custom data { cartId: "c1", giftTo: { firstName: "Ada" } } of a checkout as cart_id and gift_to.first_name, and the key XS as _x_s. One would guess that only the API's own names
# (customPrice: custom_price) change and that a shop's own data arrives as given. The API gets other names than the shop gave:
# the request has no `cartId`.
# Version: @lemonsqueezy/lemonsqueezy.js@4.0.0 with a fetch of its own (nothing is sent), seen on Node 24.21.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" @lemonsqueezy/lemonsqueezy.js@4.0.0 > /dev/null
cat > "$dir/run.mjs" <<'JS'
import { createCheckout, lemonSqueezySetup } from '@lemonsqueezy/lemonsqueezy.js';
let sent;
globalThis.fetch = async (_url, options) => {
  sent = JSON.parse(options.body);
  return new Response('{"data":{}}', { status: 201, headers: { 'content-type': 'application/vnd.api+json' } });
};
lemonSqueezySetup({ apiKey: 'invented' });
await createCheckout(1, 2, { checkoutData: { custom: { cartId: 'c1', giftTo: { firstName: 'Ada' }, XS: 2 } } });
console.log(JSON.stringify(sent.data.attributes.checkout_data.custom));
JS
node --version
seen=$(node "$dir/run.mjs")
echo "seen: $seen"
[ "$seen" = '{"cart_id":"c1","gift_to":{"first_name":"Ada"},"_x_s":2}' ]
