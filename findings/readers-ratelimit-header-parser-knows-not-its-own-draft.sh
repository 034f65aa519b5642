#!/usr/bin/env bash
# ratelimit-header-parser, by the makers of express-rate-limit, reads the RateLimit header of the newer draft, which express-rate-limit itself sends (standardHeaders: "draft-8"), as a limit NaN, NaN remaining and an Invalid Date. Of the
# older drafts all is right. A Retry-After alone, or X-RateLimit-Limit without the rest, is undefined. One would guess that the two belong together, or that an unknown form is undefined, too.
# A reader that waits "until reset" and asks again computes NaN milliseconds, which setTimeout takes for 1: it asks at once, again and again, just when the API has said that it asks too much.
# Version: ratelimit-header-parser 0.1.0, express-rate-limit 8.1.0, express 5.1.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund ratelimit-header-parser@0.1.0 express-rate-limit@8.1.0 express@5.1.0
cat > run.mjs <<'JS'
import express from "express";
import { rateLimit } from "express-rate-limit";
import { parseRateLimit } from "ratelimit-header-parser";

for (const standardHeaders of ["draft-6", "draft-7", "draft-8"]) {
  const app = express().use(rateLimit({ standardHeaders, legacyHeaders: false, limit: 120, windowMs: 60_000 })).get("/", (_request, response) => response.json({}));
  const server = app.listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { headers } = await fetch(`http://127.0.0.1:${server.address().port}/`);
  const { limit, remaining, reset } = parseRateLimit(headers);
  console.log(`${standardHeaders}: limit ${limit}, remaining ${remaining}, wait ${Math.round((reset.getTime() - Date.now()) / 10_000) * 10} s`);
  server.close();
  server.closeAllConnections();
}
console.log(String(parseRateLimit(new Headers({ "Retry-After": "30" }))));
JS
seen=$(node run.mjs)
echo "ratelimit-header-parser@0.1.0 express-rate-limit@8.1.0"
echo "seen: $seen"
[ "$seen" = "draft-6: limit 120, remaining 119, wait 60 s
draft-7: limit 120, remaining 119, wait 60 s
draft-8: limit NaN, remaining NaN, wait NaN s
undefined" ]
