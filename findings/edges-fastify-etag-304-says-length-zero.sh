#!/usr/bin/env bash
# @fastify/etag's 304 carries Content-Length: 0, and a list of ETags or * in If-None-Match is never a 304.
# One would guess no length at all (RFC 9110 8.6: a 304 may only state the length of the 200), and that a list is compared tag by tag.
# A cache that updates its stored headers from the 304 then holds a length of 0 beside a body; caches and clients that hold two variants
# of a page send a list, and get the whole page each time.
# Version: @fastify/etag 6.2.0 with fastify 5.12.8.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @fastify/etag@6.2.0 fastify@5.12.8
cat > run.js <<'JS'
import { get } from "node:http";
import etag from "@fastify/etag";
import Fastify from "fastify";

const app = Fastify();
await app.register(etag);
app.get("/products", async () => ({ data: [] }));
await app.listen({ port: 0, host: "127.0.0.1" });
const ask = (match) =>
  new Promise((resolve) => {
    const headers = match === undefined ? {} : { "If-None-Match": match };
    get({ port: app.server.address().port, host: "127.0.0.1", path: "/products", headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer));
    });
  });
const tag = (await ask()).headers.etag;
for (const match of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
  const { statusCode, headers } = await ask(match);
  console.log(match.replaceAll(tag, "TAG"), statusCode, headers["content-length"]);
}
await app.close();
JS
seen=$(node run.js)
echo "@fastify/etag $(node -p 'require("./node_modules/@fastify/etag/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'TAG 304 0
W/TAG 304 0
"other", TAG 200 11
* 200 11' ]
