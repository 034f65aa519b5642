#!/usr/bin/env bash
# 429 with "Retry-After: 2": ofetch (with no option at all), superagent with .retry(), gaxios with retry: true and @better-fetch/fetch with retry: 2 ask again within little more than a second, most of them at once. They count 429 among the answers that are worth
# another try, so one would guess that they wait for the time which that answer names, as got and ky do.
# A catalog's limit is there for readers in a loop. Readers by these clients ask more often once they are over it, and their second try, which the server had named a time for, is refused as well.
# Version: ofetch 1.5.1, superagent 10.4.2, gaxios 8.3.3 and @better-fetch/fetch 1.3.3, beside got 16.1.0 and ky 2.1.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund ofetch@1.5.1 superagent@10.4.2 gaxios@8.3.3 @better-fetch/fetch@1.3.3 got@16.1.0 ky@2.1.0 node@24.21.0
cat > run.js <<'JS'
import { createServer } from "node:http";
import { betterFetch } from "@better-fetch/fetch";
import { request } from "gaxios";
import got from "got";
import ky from "ky";
import { ofetch } from "ofetch";
import superagent from "superagent";

let times = [];
const server = createServer((_, response) => {
  times.push(performance.now());
  const isFirst = times.length === 1;
  const headers = { "content-type": "application/json", ...(isFirst ? { "retry-after": "2" } : {}) };
  response.writeHead(isFirst ? 429 : 200, headers).end("{}");
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}/products`;
const ways = {
  ofetch: () => ofetch(url),
  superagent: () => superagent.get(url).retry(2),
  gaxios: () => request({ url, retry: true }),
  "better-fetch": () => betterFetch(url, { retry: 2 }),
  got: () => got(url),
  ky: () => ky(url).json(),
};
for (const [name, ask] of Object.entries(ways)) {
  times = [];
  await ask();
  console.log(name, times.length, times[1] - times[0] < 1900 ? "early" : "waited");
}
process.exit(0);
JS
seen=$(npx node run.js)
echo "ofetch@1.5.1 superagent@10.4.2 gaxios@8.3.3 @better-fetch/fetch@1.3.3 got@16.1.0 ky@2.1.0"
echo "seen: $seen"
[ "$seen" = "ofetch 2 early
superagent 2 early
gaxios 2 early
better-fetch 2 early
got 2 waited
ky 2 waited" ]
