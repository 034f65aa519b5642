#!/usr/bin/env bash
# Eleventy's fetch asks again when its duration is over, and if the answer is then 404, 410 or 401, it gives the old copy, without an error, at each build. One would guess that the old copy is for a server
# that is down or does not answer (500, no connection), and that "this is gone" is an answer. A first request with a 404 does throw.
# A product that the shop withdrew stays on the site for as long as the machine keeps the folder .cache, and the build is green.
# Version: @11ty/eleventy-fetch 5.1.3, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @11ty/eleventy-fetch@5.1.3
cat > run.js <<'JS'
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import fetchKept from "@11ty/eleventy-fetch";

let status = 200;
const server = createServer((_, response) => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ title: status === 200 ? "Mug" : "not found" }));
});
server.listen(0, "127.0.0.1", async () => {
  const ask = (path) =>
    fetchKept(`http://127.0.0.1:${server.address().port}${path}`, { type: "json", directory: "kept", duration: "1s" }).then(
      ({ title }) => title,
      () => "an error",
    );
  const seen = [];
  for (const later of [404, 410, 401, 503]) {
    status = 200;
    await ask(`/was-${later}`);
    await wait(1100);
    status = later;
    seen.push(`${later} ${await ask(`/was-${later}`)}`);
  }
  status = 404;
  console.log(`${seen.join(", ")}; 404 at once: ${await ask("/never")}`);
  server.close();
  server.closeAllConnections();
});
JS
seen=$(node run.js 2> log | tail -1)
echo "@11ty/eleventy-fetch@5.1.3"
echo "seen: $seen"
[ "$seen" = '404 Mug, 410 Mug, 401 Mug, 503 Mug; 404 at once: an error' ]
