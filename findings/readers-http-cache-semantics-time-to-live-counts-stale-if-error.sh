#!/usr/bin/env bash
# timeToLive() of http-cache-semantics (got, cacheable-request and make-fetch-happen judge by this package) adds stale-if-error to the lifetime:
# a catalog page of max-age=60, s-maxage=300, stale-if-error=86400 "lives" for a day, while stale() turns true after 300 s.
# One would guess 300 s, as its own description says (until the response becomes stale). Code that keeps an answer for timeToLive() and serves
# it without asking stale() shows yesterday's prices.
# Version: http-cache-semantics 4.3.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund http-cache-semantics@4.3.0
cat > run.js <<'JS'
import CachePolicy from "http-cache-semantics";

const policy = (header) =>
  new CachePolicy(
    { method: "GET", url: "/products", headers: {} },
    { status: 200, headers: { date: new Date().toUTCString(), "cache-control": header } },
  );
for (const header of ["public, max-age=60, s-maxage=300", "public, max-age=60, s-maxage=300, stale-if-error=86400"])
  console.log(header, Math.round(policy(header).timeToLive() / 1000), policy(header).maxAge());
JS
seen=$(node run.js)
echo "http-cache-semantics $(node -p 'require("./node_modules/http-cache-semantics/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'public, max-age=60, s-maxage=300 300 300
public, max-age=60, s-maxage=300, stale-if-error=86400 86700 300' ]
