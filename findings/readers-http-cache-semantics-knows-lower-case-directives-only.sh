#!/usr/bin/env bash
# http-cache-semantics reads the names of Cache-Control directives as they are written: Max-Age=60 and S-Maxage=300 give no
# lifetime. One would guess that they are compared without case, as RFC 9111 5.2 says. A catalog whose server or CDN rule writes them with capitals
# is asked again at every read by got, cacheable-request and make-fetch-happen, and nothing says why.
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
for (const header of ["max-age=60", "Max-Age=60", "s-maxage=300", "S-Maxage=300"]) console.log(header, policy(header).maxAge());
JS
seen=$(node run.js)
echo "http-cache-semantics $(node -p 'require("./node_modules/http-cache-semantics/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'max-age=60 60
Max-Age=60 0
s-maxage=300 300
S-Maxage=300 0' ]
