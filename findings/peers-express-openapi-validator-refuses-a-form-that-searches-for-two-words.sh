#!/usr/bin/env bash
# express-openapi-validator answers 400 to /search?q=blue+mug, which is how an HTML form, URLSearchParams, Python's urlencode and PHP's http_build_query send "blue mug": "Parameter 'q' must be url encoded. Its value may not contain
# reserved characters." It looks for these characters before it decodes, and + is one of them. So are the brackets that encodeURIComponent leaves as they are: "mug (blue)" is refused, too; "C#" and "a,b", which it encodes, are taken.
# One would guess that a validator checks the decoded value by the schema, { type: string }: the spelling of a query is the HTTP library's, and Express itself reads + as a space. `allowReserved` in the document turns it off, but tells generated
# clients to leave & and # as they are. The tests of such an API search for one word; its visitors search for two.
# Version: express-openapi-validator 5.6.2 with Express 5.3.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund express-openapi-validator@5.6.2 express@5.3.0
cat > run.js <<'JS'
import express from "express";
import { middleware } from "express-openapi-validator";

const get = { parameters: [{ name: "q", in: "query", schema: { type: "string" } }], responses: { 200: { description: "Products." } } };
const apiSpec = { openapi: "3.0.3", info: { title: "Shop", version: "1" }, paths: { "/search": { get } } };
const fail = (error, _request, response, _next) => response.sendStatus(error.status);
const app = express().use(middleware({ apiSpec })).get("/search", (request, response) => response.send(request.query.q)).use(fail);
const server = app.listen(0, "127.0.0.1", async () => {
  const forms = ["mug", "blue mug"].map((q) => String(new URLSearchParams({ q })));
  const encoded = ["blue mug", "mug (blue)", "C#", "a,b"].map((q) => `q=${encodeURIComponent(q)}`);
  for (const query of [...forms, ...encoded]) {
    const answer = await fetch(`http://127.0.0.1:${server.address().port}/search?${query}`);
    console.log(`${query} ${answer.status}`);
  }
  server.close();
});
JS
seen=$(node run.js | tr '\n' ';')
echo "express-openapi-validator $(node -p 'require("express-openapi-validator/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'q=mug 200;q=blue+mug 400;q=blue%20mug 200;q=mug%20(blue) 400;q=C%23 200;q=a%2Cb 200;' ]
