#!/usr/bin/env bash
# Scalar's mock server answers { "kind": null } where the document says const: "product" (3.1); enum: ["product"] gives "product". It does not look at "examples": a body that has two of them and no schema is null,
# one with a schema is made of the schema, with titles "string", and a list that must have two elements has one. A header's example is an empty header. One would guess that a mock shows what the document gives as an example, as it does for "example".
# A page that is built against the mock of a catalog API tells kinds of records apart by such a constant, and shows none of them; "examples" is what documents with an example for each status or kind have.
# Version: @scalar/mock-server 0.3.25, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @scalar/mock-server@0.3.25
cat > run.mjs <<'JS'
import { createMockServer } from "@scalar/mock-server";

const headers = { ETag: { schema: { type: "string" }, example: '"v1"' } };
const schema = { type: "object", properties: { kind: { const: "product" }, sort: { enum: ["new"] }, tags: { type: "array", minItems: 2, items: { type: "string" } } } };
const contents = {
  "/schema": { schema },
  "/examples": { examples: { mug: { value: { title: "Mug" } }, cup: { value: { title: "Cup" } } } },
  "/both": { schema: { type: "object", properties: { title: { type: "string" } } }, examples: { mug: { value: { title: "Mug" } } } },
  "/example": { example: { title: "Mug" } },
};
const paths = Object.fromEntries(Object.entries(contents).map(([path, content]) => [
  path,
  { get: { responses: { 200: { description: "A product", headers, content: { "application/json": content } } } } },
]));
const app = await createMockServer({ specification: { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths } });
for (const path of Object.keys(contents)) {
  const reply = await app.request(path);
  console.log(`${path} ${JSON.stringify(await reply.json())} ETag: ${JSON.stringify(reply.headers.get("etag"))}`);
}
process.exit(0);
JS
seen=$(node run.mjs 2> log)
echo "@scalar/mock-server@0.3.25"
echo "seen: $seen"
[ "$seen" = '/schema {"kind":null,"sort":"new","tags":["string"]} ETag: ""
/examples null ETag: ""
/both {"title":"string"} ETag: ""
/example {"title":"Mug"} ETag: ""' ]
