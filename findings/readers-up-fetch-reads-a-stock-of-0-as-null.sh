#!/usr/bin/env bash
# up-fetch gives null for the JSON answers 0 and false, which are whole answers of RFC 8259: 1, true, "" in quotes and {"stock":0} are read as they are written. ofetch, ky and xior give 0 and false, as one would guess of a client that reads JSON.
# An address that answers with a number (how many are left, how many were found) or with yes or no is null exactly when nothing is left; code that shows "unknown" for null says so of what is sold out.
# Version: up-fetch 2.6.1, beside ofetch 1.5.1, ky 2.1.0 and xior 0.8.5, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund up-fetch@2.6.1 ofetch@1.5.1 ky@2.1.0 xior@0.8.5 node@24.21.0
cat > run.js <<'JS'
import { createServer } from "node:http";
import ky from "ky";
import { ofetch } from "ofetch";
import { up } from "up-fetch";
import xior from "xior";

const bodies = ["0", "false", "1", "true", '""', '{"stock":0}'];
const server = createServer(({ url }, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(bodies[Number(url.slice(1))]);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const base = `http://127.0.0.1:${server.address().port}`;
const ways = {
  "up-fetch": (url) => up(fetch)(url),
  ofetch: (url) => ofetch(url),
  ky: (url) => ky(url).json(),
  xior: async (url) => (await xior.get(url)).data,
};
for (const [name, ask] of Object.entries(ways)) {
  const read = [];
  for (const at of bodies.keys()) read.push(JSON.stringify(await ask(`${base}/${at}`)));
  console.log(name, read.join(" "));
}
process.exit(0);
JS
seen=$(npx node run.js)
echo "up-fetch@2.6.1 ofetch@1.5.1 ky@2.1.0 xior@0.8.5"
echo "seen: $seen"
[ "$seen" = 'up-fetch null null 1 true null {"stock":0}
ofetch 0 false 1 true "" {"stock":0}
ky 0 false 1 true "" {"stock":0}
xior 0 false 1 true "" {"stock":0}' ]
