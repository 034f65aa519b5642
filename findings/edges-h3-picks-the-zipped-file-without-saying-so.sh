#!/usr/bin/env bash
# serveStatic of h3, told encodings: { gzip: ".gz" }, looks at Accept-Encoding, asks for products.json.gz and sends its bytes without Content-Encoding, unless the function that looks up a file
# names the encoding itself. One would guess that who chooses the file by an encoding also labels it: Vary it does set. The reader that accepts gzip, every browser, gets
# bytes that are no JSON; curl without --compressed, with which one tries it, gets JSON.
# Version: h3 2.0.8, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund h3@2.0.8
cat > run.js <<'JS'
import { gzipSync } from "node:zlib";
import { H3, serveStatic } from "h3";

const files = { "/products.json": Buffer.from('{"data":[]}'), "/products.json.gz": gzipSync('{"data":[]}') };
const app = new H3().use("/**", (event) =>
  serveStatic(event, {
    encodings: { gzip: ".gz" },
    getContents: (name) => files[name],
    getMeta: (name) => files[name] && { size: files[name].length, type: "application/json" },
  }),
);
for (const headers of [{}, { "accept-encoding": "gzip" }]) {
  const answer = await app.request("/products.json", { headers });
  const start = Buffer.from(await answer.arrayBuffer()).subarray(0, 2).toString("hex");
  console.log(answer.status, start, "content-encoding:", answer.headers.get("content-encoding"), "vary:", answer.headers.get("vary"));
}
JS
seen=$(node run.js)
echo "h3 $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/h3/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '200 7b22 content-encoding: null vary: accept-encoding
200 1f8b content-encoding: null vary: accept-encoding' ]
