#!/usr/bin/env bash
# alova with the settings of its first example (its fetch adapter, responded: (response) => response.json()) keeps what a 503 or a 404 said as the answer of that address, for five minutes, also if it says Cache-Control: no-store: the
# catalog is back, and every component that asks gets the error's JSON from memory, without an error. One would guess that a client which caches GETs unasked keeps answers with a good status only, and reads the answer's own lifetime.
# In a server that renders pages that memory is everybody's: one bad second of the catalog API is five minutes of pages with {"success":false}. And ?page=1&sort=new and ?sort=new&page=1, of one object of parameters, are asked twice.
# Version: alova 3.5.5, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund alova@3.5.5
cat > run.mjs <<'JS'
import { createServer } from "node:http";
import { createAlova } from "alova";
import adapter from "alova/fetch";

let status = 503;
const asked = [];
const server = createServer((request, response) => {
  asked.push(request.url);
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": status === 200 ? "max-age=60" : "no-store" });
  response.end(JSON.stringify({ success: status === 200 }));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const shop = createAlova({
  baseURL: `http://127.0.0.1:${server.address().port}`,
  requestAdapter: adapter(),
  cacheLogger: false,
  responded: (response) => response.json(),
});
const first = await shop.Get("/products");
status = 200;
const second = await shop.Get("/products");
const other = await shop.Get("/categories");
await shop.Get("/list", { params: { page: 1, sort: "new" } });
await shop.Get("/list", { params: { sort: "new", page: 1 } });
console.log(`${JSON.stringify([first, second, other])} asked: ${asked.join(" ")}`);
server.close();
server.closeAllConnections();
JS
seen=$(node run.mjs)
echo "alova@3.5.5"
echo "seen: $seen"
[ "$seen" = '[{"success":false},{"success":false},{"success":true}] asked: /products /categories /list?page=1&sort=new /list?sort=new&page=1' ]
