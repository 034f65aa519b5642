#!/usr/bin/env bash
# RTK Query's retry() asks six times for a product that does not exist, and for a request that the API calls wrong. One would guess that only failures that may pass
# (no answer, 429, 5xx) are tried again: axios-retry, ky and wretch's retry ask once here.
# Every dead link to a catalog API costs six requests of a limit that counts them, and "not found" is shown only after the five pauses between them.
# Version: @reduxjs/toolkit 2.15.0, axios-retry 4.5.0 with axios 1.21.1, ky 2.1.0, wretch 3.0.9, on Node 24.21.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
versions="@reduxjs/toolkit@2.15.0 axios@1.21.1 axios-retry@4.5.0 ky@2.1.0 wretch@3.0.9"
npm install --silent --no-audit --no-fund $versions
cat > run.js <<'JS'
import { createServer } from "node:http";
import { fetchBaseQuery, retry } from "@reduxjs/toolkit/query";
import axios from "axios";
import axiosRetry from "axios-retry";
import ky from "ky";
import wretch from "wretch";
import { retry as wretchRetry } from "wretch/middlewares";

let requests = 0;
const server = createServer(({ url }, response) => {
  requests++;
  response.writeHead(Number(url.slice(1)), { "Content-Type": "application/json" }).end('{"success":false}');
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const store = { signal: new AbortController().signal, getState() {}, dispatch() {}, abort() {}, endpoint: "product", type: "query" };
const patientAxios = axios.create();
axiosRetry(patientAxios, { retries: 3 });
const clients = {
  // Its pauses are left out here.
  "RTK Query": (status) => retry(fetchBaseQuery({ baseUrl: origin }), { backoff: async () => {} })(`/${status}`, store, {}),
  "axios-retry": (status) => patientAxios.get(`${origin}/${status}`),
  ky: (status) => ky(`${origin}/${status}`).json(),
  wretch: (status) => wretch(`${origin}/${status}`).middlewares([wretchRetry({ delayTimer: 1 })]).get().json(),
};
for (const [name, ask] of Object.entries(clients)) {
  const counts = [];
  for (const status of [404, 400]) {
    requests = 0;
    await Promise.resolve(ask(status)).catch(() => undefined);
    counts.push(`${status} ${requests}`);
  }
  console.log(`${name}: ${counts.join(", ")}`);
}
process.exit();
JS
seen=$(node run.js)
echo "$versions, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'RTK Query: 404 6, 400 6
axios-retry: 404 1, 400 1
ky: 404 1, 400 1
wretch: 404 1, 400 1' ]
