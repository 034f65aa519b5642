#!/usr/bin/env bash
# Workbox's and Serwist's BroadcastUpdate tell no page that a cached answer is out of date if its length is the same, or if no ETag can be read. One would guess
# that bodies are compared, or that an answer without a validator counts as new. Only Content-Length, ETag and Last-Modified are compared, and only where both have them.
# Scripts can't read ETag of another host without Access-Control-Expose-Headers, so of a catalog API mostly the length is left: 19.90 that becomes 24.50 is no update,
# and a page with StaleWhileRevalidate shows the old price until it is loaded again.
# Version: workbox-broadcast-update 7.4.1, serwist 9.5.13, on Node 24.21.0 with the two globals that they need of a service worker.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund workbox-broadcast-update@7.4.1 serwist@9.5.13 node@24.21.0
export PATH="$dir/node_modules/.bin:$PATH"
cat > run.js <<'JS'
let told = 0;
globalThis.self = globalThis;
globalThis.clients = { matchAll: async () => [{ postMessage: () => told++ }] };
const libraries = { workbox: await import("workbox-broadcast-update"), serwist: await import("serwist") };

const request = new Request("https://api.shop.example/api/v1/product?slug=tea");
const event = { clientId: "1", request };
const answer = (price, headers) => new Response(`{"price":"${price}"}`, { headers: { "Content-Type": "application/json", ...headers } });

async function messages({ BroadcastCacheUpdate }, before, after) {
  told = 0;
  const [oldResponse, newResponse] = [answer("19.90", before), answer("24.50", after)];
  await new BroadcastCacheUpdate().notifyIfUpdated({ cacheName: "api", request, event, oldResponse, newResponse });
  return told;
}
for (const [name, library] of Object.entries(libraries)) {
  const seen = [
    `no validator ${await messages(library, {}, {})}`,
    `equal length ${await messages(library, { "Content-Length": "17" }, { "Content-Length": "17" })}`,
    `ETag only once ${await messages(library, {}, { ETag: '"2"' })}`,
    `two ETags ${await messages(library, { ETag: '"1"' }, { ETag: '"2"' })}`,
  ];
  console.log(`${name}: ${seen.join(", ")}`);
}
JS
seen=$(NODE_ENV=production node run.js)
echo "workbox-broadcast-update@7.4.1 serwist@9.5.13, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'workbox: no validator 0, equal length 0, ETag only once 0, two ETags 1
serwist: no validator 0, equal length 0, ETag only once 0, two ETags 1' ]
