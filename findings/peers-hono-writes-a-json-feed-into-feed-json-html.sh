#!/usr/bin/env bash
# Hono's toSSG writes the route /feed.json, which answers with application/feed+json, into the file feed.json.html; /catalog.ndjson, /google.tsv and an error of application/problem+json get ".html" too, and /products.atom
# becomes products.atom.xml. It names a file after the type of the answer, with ".html" for each type that it does not know, though the route has an ending. One would guess that a route with an ending is the name of
# the file, as /products.json with application/json and /shop.jsonld are.
# The site works while it is served by Hono. As files, /feed.json is a 404, and its content lies at /feed.json.html as text/html; toSSG says success.
# What to do: toSSG(app, fs, { extensionMap: { ...defaultExtensionMap, "application/feed+json": "json" } }) for each type that you answer with.
# Version: hono 4.13.19, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund hono@4.13.19
cat > run.js <<'JS'
import fs from "node:fs/promises";
import { Hono } from "hono";
import { defaultExtensionMap, toSSG } from "hono/ssg";

const types = {
  "/products.json": "application/json",
  "/shop.jsonld": "application/ld+json",
  "/feed.json": "application/feed+json",
  "/catalog.ndjson": "application/x-ndjson",
  "/google.tsv": "text/tab-separated-values",
  "/products.atom": "application/atom+xml",
};
const app = new Hono();
for (const [path, type] of Object.entries(types)) app.get(path, (context) => context.body("…", 200, { "content-type": type }));
const { success, files } = await toSSG(app, fs, { dir: "out" });
console.log(`success ${success}: ${files.join(" ")}`);
const mapped = await toSSG(app, fs, { dir: "mapped", extensionMap: { ...defaultExtensionMap, "application/feed+json": "json" } });
console.log(`with a map: ${mapped.files.find((file) => file.includes("feed"))}`);
JS
seen=$(node run.js)
echo "hono 4.13.19"
echo "seen: $seen"
[ "$seen" = 'success true: out/products.json out/shop.jsonld out/feed.json.html out/catalog.ndjson.html out/google.tsv.html out/products.atom.xml
with a map: mapped/feed.json' ]
