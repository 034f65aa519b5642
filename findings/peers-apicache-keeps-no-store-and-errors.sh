#!/usr/bin/env bash
# apicache, the usual in-process cache of an Express API, keeps an answer that says no-store, and a 503, for its whole duration, and replaces
# Cache-Control by max-age of that duration. One would guess that it honours no-store and keeps only successes.
# A catalog API that is put behind it shows an error for the rest of the minute after the database is back, tells every cache behind it to keep that
# error as well, and loses s-maxage and stale-if-error of its good answers.
# Version: apicache 1.6.3 with express 5.3.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund apicache@1.6.3 express@5.3.0
cat > run.js <<'JS'
import apicache from "apicache";
import express from "express";

const app = express();
let calls = 0;
app.use(apicache.middleware("1 minute"));
app.get("/private", (_, answer) => answer.set("Cache-Control", "no-store").json({ calls: ++calls }));
app.get("/down", (_, answer) => answer.status(503).set("Retry-After", "1").json({ calls: ++calls }));
app.get("/good", (_, answer) => answer.set("Cache-Control", "public, max-age=5, s-maxage=300").json({ calls: ++calls }));
const server = app.listen(0, "127.0.0.1", async () => {
  for (const path of ["/private", "/private", "/down", "/down", "/good"]) {
    const answer = await fetch(`http://127.0.0.1:${server.address().port}${path}`);
    console.log(path, answer.status, answer.headers.get("cache-control"), await answer.text());
  }
  process.exit();
});
JS
seen=$(node run.js)
echo "apicache $(node -p 'require("./node_modules/apicache/package.json").version')"
echo "seen: $seen"
[ "$seen" = '/private 200 max-age=60 {"calls":1}
/private 200 max-age=60 {"calls":1}
/down 503 max-age=60 {"calls":2}
/down 503 max-age=60 {"calls":2}
/good 200 max-age=60 {"calls":3}' ]
