#!/usr/bin/env bash
# The own clients of Paddle and Recurly: a list is read by for await (of it, or of its each()), and keeps for itself where it is. A second loop over all products gives none, without an error; after a search that stopped at product 1
# the next loop begins with product 3, as the rest of the first page is lost; and Recurly's first() after a loop asks for the root of the API, in place of the items.
# One would guess that a list can be read again, as an array and the lists of Stripe's client can, and as a method each() and a list that is no iterator itself promise.
# A build that reads the list for its pages and again for its feed makes an empty feed, with exit code 0.
# Version: @paddle/paddle-node-sdk 3.10.0, recurly 4.81.0, Node 24.21.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @paddle/paddle-node-sdk@3.10.0 recurly@4.81.0
npm install --silent --no-audit --no-fund node@24.21.0
export PATH="$dir/node_modules/.bin:$PATH"
cat > run.cjs <<'JS'
const { createServer } = require("node:http");
const { Client, HttpAdapter } = require("recurly");
const { Paddle } = require("@paddle/paddle-node-sdk");
const pages = { 1: [1, 2], 2: [3, 4], 3: [5] };
let last = "";
function answer(address) {
  const { pathname, search, searchParams, origin } = new URL(address);
  last = pathname + search;
  const page = Number(searchParams.get("after") ?? 1);
  const next = page < 3 ? `/items?after=${page + 1}` : null;
  const data = pages[page].map((id) => ({ object: "item", id: String(id) }));
  // The first line is what Recurly's client reads, the second what Paddle's does.
  return { object: "list", has_more: page < 3, next, data,
    meta: { request_id: "invented", pagination: { per_page: 2, next: next && origin + next, has_more: page < 3, estimated_total: 5 } } };
}
class Recurly extends HttpAdapter {
  async execute(_, address) {
    return { statusCode: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(answer(address)) };
  }
}
async function read(list, end) {
  const ids = [];
  for await (const { id } of list) {
    ids.push(id);
    if (id === end) break;
  }
  return ids.join(" ") || "none";
}
const shop = createServer((request, reply) => reply.end(JSON.stringify(answer(`http://${request.headers.host}${request.url}`))));
shop.listen(0, "127.0.0.1", async () => {
  const paddle = new Paddle("invented", { environment: `http://127.0.0.1:${shop.address().port}` });
  const recurly = new Client("invented", { httpAdapter: new Recurly() });
  const lists = { Paddle: [() => paddle.products.list(), (list) => list], Recurly: [() => recurly.listItems(), (list) => list.each()] };
  for (const [name, [list, each]] of Object.entries(lists)) {
    const all = list();
    const some = list();
    const texts = [`all: ${await read(each(all))}`, `again: ${await read(each(all))}`, `until 1: ${await read(each(some), "1")}`, `then all: ${await read(each(some))}`];
    console.log(`seen: ${name}: ${texts.join(", ")}`);
    if (all.first) console.log(`seen: ${name}: ${await all.first().then(() => `first() asks ${last}`)}`);
  }
  shop.close(); shop.closeAllConnections();
});
JS
version() { node -p "require('./node_modules/$1/package.json').version"; }
echo "@paddle/paddle-node-sdk $(version @paddle/paddle-node-sdk), recurly $(version recurly), Node $(node --version)"
seen=$(node run.cjs)
echo "$seen"
[ "$seen" = 'seen: Paddle: all: 1 2 3 4 5, again: none, until 1: 1, then all: 3 4 5
seen: Recurly: all: 1 2 3 4 5, again: none, until 1: 1, then all: 3 4 5
seen: Recurly: first() asks /?limit=1' ]
