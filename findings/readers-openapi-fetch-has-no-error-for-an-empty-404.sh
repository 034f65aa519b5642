#!/usr/bin/env bash
# openapi-fetch gives { data, error }, and its guides test "if (error)": for a 404 or 503 with an empty body both are undefined. A path parameter that is missing asks for
# /products/%7Bid%7D.json. One would guess that error is always set when the status is one, and that a call without its id throws. An empty body is what many
# CDNs, stores and proxies send: the caller goes on as if there were an answer.
# Version: openapi-fetch 0.17.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund openapi-fetch@0.17.0
cat > run.js <<'JS'
import createClient from "openapi-fetch";

const asked = [];
const answer = (status, body) => {
  const fetch = async (request) => {
    asked.push(new URL(request.url).pathname);
    return new Response(body, { status, headers: { "content-length": String(body.length) } });
  };
  return createClient({ baseUrl: "https://shop.example", fetch }).GET("/products/{id}.json", { params: { path: {} } });
};
for (const [status, body] of [[404, ""], [503, ""], [404, "no"]]) {
  const { data, error } = await answer(status, body);
  console.log(status, data, error);
}
console.log(asked[0]);
JS
seen=$(node run.js)
echo "openapi-fetch@0.17.0"
echo "seen: $seen"
[ "$seen" = '404 undefined undefined
503 undefined undefined
404 undefined no
/products/%7Bid%7D.json' ]
