#!/usr/bin/env bash
# Shopware's own JavaScript client writes a list in a query as ids=1&ids=2. Shopware is PHP, which keeps the last of them; a list there is ids[]=1&ids[]=2. One would guess that the client of a shop writes what the shop reads. A Date goes out
# in quotation marks, as "2026-11-28T10:00:00.000Z", and null as the bare name. A catalog page that asks for some products by GET gets one, with 200.
# Version: @shopware/api-client 1.6.0, seen on Node 24; PHP 8.2 (Debian's package php8.2-cli).
set -euo pipefail
command -v php > /dev/null || { echo "needs Debian's package php8.2-cli"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @shopware/api-client@1.6.0 node@24.21.0
cat > run.js <<'JS'
import { createAPIClient } from "@shopware/api-client";

globalThis.fetch = async (request) => {
  console.log(new URL(request.url ?? request).search.slice(1));
  return new Response("{}", { headers: { "content-type": "application/json" } });
};
const client = createAPIClient({ baseURL: "https://shop.example/store-api", accessToken: "example" });
await client.invoke("readProduct get /product", { query: { ids: ["1", "2"], since: new Date("2026-11-28T10:00:00Z") } });
JS
query=$(node_modules/.bin/node run.js)
seen=$(QUERY="$query" php -r 'parse_str(getenv("QUERY"), $read); echo json_encode($read);')
echo "@shopware/api-client $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/@shopware/api-client/package.json")).version'), $(php -v | sed -n 1p)"
echo "seen: $query is $seen"
[ "$seen" = '{"ids":"2","since":"\"2026-11-28T10:00:00.000Z\""}' ]
