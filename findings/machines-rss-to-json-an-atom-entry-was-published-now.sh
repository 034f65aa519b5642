#!/usr/bin/env bash
# rss-to-json says of every Atom entry, and of an RSS item without a date, that it was published at the moment of reading: "published" is Date.now(), though the entry has <published>2025-01-02…; its <updated> is in "created". A title
# that is a number, 1.10, is 1.1, and a guid 00123 is 123. One would guess the time that the element of that name has, and null where there is none.
# A page that lists a catalog's news by "published" has all entries as new at each build, in an order that changes with the clock, and a cache that compares them never matches.
# Version: rss-to-json 2.1.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund rss-to-json@2.1.1
cat > run.js <<'JS'
const { parse } = require("rss-to-json");

const feed = `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><id>urn:shop</id><title>Shop</title><updated>2026-01-02T03:04:05Z</updated>
  <entry><id>urn:mug</id><title>Mug</title><link href="https://shop.example/mug"/><published>2025-01-02T03:04:05Z</published><updated>2026-01-02T03:04:05Z</updated></entry></feed>`;
const server = require("node:http").createServer((_, response) => response.end(feed));
server.listen(0, "127.0.0.1", async () => {
  const before = Date.now();
  const { published, created } = (await parse(`http://127.0.0.1:${server.address().port}/`)).items[0];
  console.log(published >= before && published <= Date.now() ? "published now" : `published ${new Date(published).toISOString()}`, `created ${new Date(created).toISOString()}`);
  server.close();
  server.closeAllConnections();
});
JS
seen=$(node run.js)
echo "rss-to-json@2.1.1"
echo "seen: $seen"
[ "$seen" = 'published now created 2026-01-02T03:04:05.000Z' ]
