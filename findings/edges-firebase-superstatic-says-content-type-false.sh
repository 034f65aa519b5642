#!/usr/bin/env bash
# superstatic, the server of Firebase Hosting's emulator and tools, serves a file whose ending it does not know, products.ndjson for example, with the header "Content-Type: false". One would guess application/octet-stream, or no
# header: "false" is what the table of types answers, and is no type in HTTP.
# A client that looks at the type of a bulk file fails at parsing it: Python's email parser takes text/plain for it, Node's MIMEType throws. The header has to be set in the configuration by a rule for each ending.
# Version: superstatic 11.0.0, connect 3.7.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund superstatic@11.0.0 connect@3.7.0
mkdir site; for ending in json ndjson xml geojson jsonl md; do echo '{}' > "site/products.$ending"; done
cat > run.js <<'JS'
import http from "node:http";
import connect from "connect";
import superstatic from "superstatic";

const server = http.createServer(connect().use(superstatic.default({ cwd: process.cwd(), config: { public: "site" } })));
await new Promise((done) => server.listen(0, "127.0.0.1", done));
for (const ending of ["json", "ndjson", "jsonl", "xml"]) {
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/products.${ending}`);
  console.log(ending, answer.status, answer.headers.get("content-type"));
}
process.exit();
JS
seen=$(node run.js)
echo "superstatic $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/superstatic/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'json 200 application/json; charset=utf-8
ndjson 200 false
jsonl 200 false
xml 200 application/xml' ]
