#!/usr/bin/env bash
# A client has the first half of a file, and asks for the rest with If-Range and the date (or ETag) of what it has. The file has changed meanwhile: RFC 9110 13.1.5 says that the whole new file
# comes then, with 200, and express does so. serveStatic of @hono/node-server, http-server and serve-handler (serve) announce ranges, do not look at If-Range, and send the rest of the other
# file with 206. One would guess that who announces ranges knows it.
# A broken download of a catalog's bulk file that goes on after the next release is half of one and half of the other, with the right length.
# Version: @hono/node-server 2.1.9 with hono 4.13.19, http-server 14.1.1, serve-handler 6.1.8, beside express 5.3.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @hono/node-server@2.1.9 hono@4.13.19 http-server@14.1.1 serve-handler@6.1.8 express@5.3.0
mkdir site
cat > run.js <<'JS'
import { utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import express from "express";
import { Hono } from "hono";
import httpServer from "http-server";
import serve from "serve-handler";

const write = (text, day) => {
  writeFileSync("site/products.ndjson", text);
  utimesSync("site/products.ndjson", new Date(day), new Date(day));
};
const hono = new Hono();
hono.use("/*", serveStatic({ root: "./site" }));
const servers = {
  "@hono/node-server": createAdaptorServer({ fetch: hono.fetch }),
  "http-server": httpServer.createServer({ root: "./site", cache: -1 }).server,
  "serve-handler": createServer((request, response) => serve(request, response, { public: "site" })),
  express: createServer(express().use(express.static("site"))),
};
for (const [name, server] of Object.entries(servers)) {
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${server.address().port}/products.ndjson`;
  write("old1old2", "2026-01-01");
  const first = await fetch(address, { headers: { range: "bytes=0-3" } });
  const half = await first.text();
  write("new1new2", "2026-01-02");
  const rest = async (validator) => {
    const answer = await fetch(address, { headers: { range: "bytes=4-", "if-range": validator } });
    return `${answer.status} ${await answer.text()}`;
  };
  console.log(name, first.status, half, "| by date:", await rest(first.headers.get("last-modified")), "| by an ETag:", await rest('"another"'));
  server.closeAllConnections();
  server.close();
}
JS
seen=$(node run.js)
echo "@hono/node-server $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/@hono/node-server/package.json")).version'), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = '@hono/node-server 206 old1 | by date: 206 new2 | by an ETag: 206 new2
http-server 206 old1 | by date: 206 new2 | by an ETag: 206 new2
serve-handler 206 old1 | by date: 206 new2 | by an ETag: 206 new2
express 206 old1 | by date: 200 new1new2 | by an ETag: 200 new1new2' ]
