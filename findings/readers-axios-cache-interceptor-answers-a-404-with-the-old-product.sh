#!/usr/bin/env bash
# axios-cache-interceptor answers with the old copy, as status 200, if the server says 404 or 410 once a copy that had an ETag is out of date, for as long as the server says so. staleIfError is on by default, without a limit, for every error, and needs no stale-if-error
# from the server. One would guess 500 and what RFC 5861 lists, or a network that fails: 404 is the answer, not a failure.
# A product or a review that was withdrawn stays in the page of every reader who has seen it. staleIfError: false, or a function of the response, helps.
# Version: axios-cache-interceptor 1.12.3, axios 1.21.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund axios-cache-interceptor@1.12.3 axios@1.21.1
cat > run.js <<'JS'
import { createServer } from "node:http";
import axios from "axios";
import { setupCache } from "axios-cache-interceptor";

let status = 200;
const server = createServer((_, response) => {
  const headers = { "Content-Type": "application/json", "Cache-Control": "public, max-age=1", ETag: '"1"' };
  response.writeHead(status, headers);
  response.end(JSON.stringify({ success: status === 200 }));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${server.address().port}/product`;

async function ask(client) {
  try {
    const { status, data } = await client.get(url);
    return `${status} ${JSON.stringify(data)}`;
  } catch (error) {
    return `error ${error.response.status}`;
  }
}
for (const [name, options] of Object.entries({ default: {}, off: { staleIfError: false } })) {
  const client = setupCache(axios.create(), options);
  status = 200;
  const seen = [await ask(client)];
  await new Promise((late) => setTimeout(late, 1300));
  for (status of [404, 410]) seen.push(`${status}: ${await ask(client)}`);
  console.log(`${name}: ${seen.join(", ")}`);
}
server.close();
JS
seen=$(node run.js | paste -sd';')
echo "axios-cache-interceptor@1.12.3 axios@1.21.1"
echo "seen: $seen"
[ "$seen" = 'default: 200 {"success":true}, 404: 200 {"success":true}, 410: 200 {"success":true};off: 200 {"success":true}, 404: error 404, 410: error 410' ]
