#!/usr/bin/env bash
# Hono's etag() answers 304 with six headers only: Access-Control-Allow-Origin that cors() set is gone, whichever of the two is used first.
# One would guess that a 304 keeps CORS headers (they are no representation data), or that cors() used outside etag() adds them again.
# A page on another site that sends If-None-Match itself gets a CORS error for every unchanged answer; CDN-Cache-Control is gone too, so
# a CDN behind which the catalog stands falls back to the shorter browser lifetime at each revalidation.
# Version: hono 4.13.19.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund hono@4.13.19
cat > run.js <<'JS'
import { Hono } from "hono";
import { cors } from "hono/cors";
import { etag } from "hono/etag";

for (const steps of [[etag(), cors()], [cors(), etag()]]) {
  const app = new Hono();
  for (const step of steps) app.use(step);
  app.get("/products", (c) => {
    c.header("Cache-Control", "public, max-age=60");
    c.header("CDN-Cache-Control", "max-age=300");
    return c.json({ data: [] });
  });
  const first = await app.request("/products");
  const second = await app.request("/products", { headers: { "If-None-Match": first.headers.get("ETag") } });
  const names = (answer) => `${answer.status} ${[...answer.headers.keys()].sort().join(" ")}`;
  console.log(names(first));
  console.log(names(second));
}
JS
seen=$(node run.js)
echo "hono $(node -p 'require("./node_modules/hono/package.json").version')"
echo "seen: $seen"
full="200 access-control-allow-origin cache-control cdn-cache-control content-type etag"
[ "$seen" = "$full
304 cache-control etag
$full
304 cache-control etag" ]
