#!/usr/bin/env bash
# wrap and getOrSet of cacheable answer undefined when the loading function throws: nobody sees the error but a listener for "error" events. cache-manager, by the same
# author, rejects. One would guess that the error comes through. While the catalog API is down, a page built with it says "no such product" (404, indexed)
# instead of failing with 503.
# Version: cacheable 2.5.0, cache-manager 7.2.9.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund cacheable@2.5.0 cache-manager@7.2.9
cat > run.js <<'JS'
import { createCache } from "cache-manager";
import { Cacheable } from "cacheable";

const load = async () => {
  throw new Error("503");
};
const cache = new Cacheable();
const outcome = (promise) => promise.then((value) => `value ${value}`, (error) => `error ${error.message}`);
console.log(await outcome(cache.getOrSet("p1", load)));
console.log(await outcome(cache.wrap(load, { ttl: "1m", keyPrefix: "product" })(1)));
console.log(await outcome(createCache().wrap("p1", load)));
JS
seen=$(node run.js)
echo "cacheable@2.5.0 cache-manager@7.2.9"
echo "seen: $seen"
[ "$seen" = 'value undefined
value undefined
error 503' ]
