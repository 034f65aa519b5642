#!/usr/bin/env bash
# express-http-proxy with a userResDecorator, even one that changes nothing, answers HEAD with Content-Length: 0 and with the ETag of the file; without a decorator it passes on the upstream's 1212. One would guess the
# upstream's length, or none, as HTTP allows: it is that of an empty body, which the function was called with.
# Whoever asks by HEAD how large a bulk file or feed is, or checks links for empty files, sees an empty one behind such a proxy, and the answer to HEAD with the same ETag tells a cache that its copy has another length.
# Version: express-http-proxy 2.1.2, express 5.3.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund express-http-proxy@2.1.2 express@5.3.0
cat > run.js <<'JS'
import http from "node:http";
import express from "express";
import proxy from "express-http-proxy";

const body = JSON.stringify({ data: "x".repeat(1201) });
const listen = (server) => new Promise((done) => server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}`)));
const upstream = await listen(
  http.createServer((request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length, etag: '"v1"' });
    response.end(request.method === "HEAD" ? undefined : body);
  }),
);
const app = express();
app.use("/plain", proxy(upstream));
app.use("/decorated", proxy(upstream, { userResDecorator: (_response, data) => data }));
const base = await listen(http.createServer(app));
for (const path of ["/plain", "/decorated"]) {
  for (const method of ["GET", "HEAD"]) {
    const answer = await fetch(base + path, { method });
    console.log(path, method, answer.headers.get("content-length"), answer.headers.get("etag"));
  }
}
process.exit();
JS
seen=$(node run.js)
for name in express-http-proxy express; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
echo "seen: $seen"
[ "$seen" = '/plain GET 1212 "v1"
/plain HEAD 1212 "v1"
/decorated GET 1212 "v1"
/decorated HEAD 0 "v1"' ]
