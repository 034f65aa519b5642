#!/usr/bin/env bash
# Cache-Control: immutable without max-age is fresh for 86,400,000 s, which is 1,000 days, to http-cache-semantics (its default of 24 hours is in
# milliseconds, and is read as seconds). One would guess 0, since RFC 8246 makes immutable speak of the lifetime that another directive gives,
# or a day, as the option's description says. A catalog that marks its pages immutable and leaves the lifetime to the CDN is never read again by such a client.
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
const alone = policy("public, immutable");
console.log(alone.maxAge(), alone.maxAge() / 86_400, alone.stale());
JS
seen=$(node run.js)
echo "http-cache-semantics $(node -p 'require("./node_modules/http-cache-semantics/package.json").version')"
echo "seen: $seen"
[ "$seen" = '86400000 1000 false' ]
