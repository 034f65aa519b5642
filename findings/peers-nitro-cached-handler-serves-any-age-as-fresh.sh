#!/usr/bin/env bash
# A cached handler of Nitro (Nuxt's server) with maxAge: 1 gives its first reader after 4 s the old answer with max-age=1 and no Age; there is no
# bound, so after a quiet night the first reader gets yesterday's. One would guess that maxAge bounds it, since no stale time was given (swr is on
# by default). A CDN in front takes the old answer for new and keeps it: what was withdrawn comes back. swr: false ends it.
# Version: nitropack 2.13.6.
set -euo pipefail
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund nitropack@2.13.6
echo 'export default { compatibilityDate: "2025-01-01", preset: "node-server", logLevel: 1 };' > nitro.config.js
mkdir routes
echo 'let calls = 0; export default defineCachedEventHandler(() => ({ calls: ++calls }), { maxAge: 1 });' > routes/products.get.js
npx nitropack build > build.log 2>&1
port=$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
PORT=$port HOST=127.0.0.1 node .output/server/index.mjs > server.log 2>&1 & pid=$!
for _ in $(seq 50); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
read_page() { curl -s -D head -o body "http://127.0.0.1:$port/products"; echo "$(cat body) $(tr -d '\r' < head | grep -iE '^(cache-control|age):' | tr '\n' ' ')"; }
seen=$(read_page; sleep 4; read_page; sleep 0.5; read_page)
echo "nitropack $(node -p 'require("./node_modules/nitropack/package.json").version')"
echo "seen: $seen"
[ "$seen" = '{"calls":1} cache-control: max-age=1 
{"calls":1} cache-control: max-age=1 
{"calls":2} cache-control: max-age=1 ' ]
