#!/usr/bin/env bash
# "/v1/* # the API" is a rule for the path "/v1/* # the API" in Netlify's _headers, which no request has, and no error; in _redirects of the same folder the same words behind a rule are a comment, and lines that
# begin with # are comments in both. One would guess the same comments in both files, or an error.
# The CORS and Cache-Control headers of the API are no longer sent once somebody has written a word behind the rule, and the parser reports no error.
# Version: @netlify/headers-parser 10.1.1, netlify-redirect-parser 14.4.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @netlify/headers-parser@10.1.1 netlify-redirect-parser@14.4.0
printf '# a line\n/v1/* # the API\n  Access-Control-Allow-Origin: *\n' > _headers
printf '# a line\n/v1/* /api/:splat.json 200 # the API\n' > _redirects
cat > run.js <<'JS'
import { parseAllHeaders } from "@netlify/headers-parser";
import { parseAllRedirects } from "netlify-redirect-parser";

const headers = await parseAllHeaders({ headersFiles: ["_headers"], configHeaders: [], minimal: true });
console.log("headers for", JSON.stringify(headers.headers.map((rule) => rule.for)), "errors", headers.errors.length);
const redirects = await parseAllRedirects({ redirectsFiles: ["_redirects"], configRedirects: [], minimal: true });
console.log("redirects from", JSON.stringify(redirects.redirects.map((rule) => rule.from)), "errors", redirects.errors.length);
JS
seen=$(node run.js)
for name in @netlify/headers-parser netlify-redirect-parser; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
echo "seen: $seen"
[ "$seen" = 'headers for ["/v1/* # the API"] errors 0
redirects from ["/v1/*"] errors 0' ]
