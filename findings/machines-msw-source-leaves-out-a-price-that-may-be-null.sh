#!/usr/bin/env bash
# @mswjs/source makes a mock server of an OpenAPI 3.1 document. A property of type ["number", "null"] is in none of its answers, although it is required, and headers are random words: "Cache-Control: mourn", although the
# document gives an example, "max-age=60". One would guess a number or null in the body, and for a header what is done for a body, the document's example, or at least a text of the schema's form.
# A front end that is tested against such a mock never sees "sale_price": null, the usual case in a shop; it sees undefined, which shows as "NaN" or passes a check for null. And a cache that is tested has no lifetime.
# Version: @mswjs/source 0.5.0, msw 2.11.3, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @mswjs/source@0.5.0 msw@2.11.3
cat > run.mjs <<'JS'
import { fromOpenApi } from "@mswjs/source/open-api";
import { setupServer } from "msw/node";

const schema = {
  type: "object",
  required: ["price", "sale", "subtitle"],
  properties: { price: { type: "number", minimum: 0 }, sale: { type: ["number", "null"], minimum: 0 }, subtitle: { type: ["string", "null"] } },
};
const headers = { "Cache-Control": { schema: { type: "string" }, example: "max-age=60" } };
const answer = (content) => ({ get: { responses: { 200: { description: "A product", headers, content: { "application/json": content } } } } });
const server = setupServer(
  ...(await fromOpenApi({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "http://shop.example" }],
    paths: { "/product": answer({ schema }), "/example": answer({ schema, example: { price: 5, sale: null, subtitle: null } }) },
  })),
);
server.listen({ onUnhandledRequest: "error" });
const fields = new Set();
const lifetimes = new Set();
for (let time = 0; time < 30; time++) {
  const reply = await fetch("http://shop.example/product");
  lifetimes.add(/max-age=60/.test(reply.headers.get("cache-control")) ? "as in the example" : "another");
  for (const field of Object.keys(await reply.json())) fields.add(field);
}
console.log(`fields of 30 answers: ${[...fields]}; header: ${[...lifetimes]}; body with an example: ${await (await fetch("http://shop.example/example")).text()}`);
server.close();
JS
seen=$(node run.mjs)
echo "@mswjs/source@0.5.0 msw@2.11.3"
echo "seen: $seen"
[ "$seen" = 'fields of 30 answers: price; header: another; body with an example: {"price":5,"sale":null,"subtitle":null}' ]
