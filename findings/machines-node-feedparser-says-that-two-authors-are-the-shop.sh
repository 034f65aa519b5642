#!/usr/bin/env bash
# feedparser for Node gives an Atom entry of two authors the author of the feed, or null where the feed has none; neither of the two names is in item.author, nor is there a list. An entry of one author has that one, and of two
# dc:creator in RSS the first is taken. One would guess the first, or "A, B": Atom allows several authors (RFC 4287 4.2.1), and the feed's holds only for entries without one.
# A post that two people wrote together is signed by the shop in whatever is built from its feed. The names are in item["atom:author"] only.
# Version: feedparser (npm) 2.6.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund feedparser@2.6.0
cat > run.mjs <<'JS'
import { Readable } from "node:stream";
import FeedParser from "feedparser";

const read = (xml) => new Promise((done, fail) => {
  const items = [];
  const parser = new FeedParser();
  parser.on("error", fail).on("end", () => done(items.map((item) => item.author)));
  parser.on("readable", () => {
    for (let item = parser.read(); item; item = parser.read()) items.push(item);
  });
  Readable.from([Buffer.from(xml)]).pipe(parser);
});
const people = (...names) => names.map((name) => `<author><name>${name}</name></author>`).join("");
const entry = (...names) => `<entry><title>Mug</title><id>urn:x:${names}</id><updated>2026-01-01T00:00:00Z</updated>${people(...names)}</entry>`;
const atom = (...names) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>urn:x</id><updated>2026-01-01T00:00:00Z</updated>${people(...names)}
${entry("Ada")}${entry("Ada", "Bo")}${entry()}</feed>`;
const rss = `<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title><link>http://shop.example/</link><description>News</description>
<item><title>Mug</title><dc:creator>Ada</dc:creator><dc:creator>Bo</dc:creator></item></channel></rss>`;
console.log(JSON.stringify([await read(atom("Shop")), await read(atom()), await read(rss)]));
JS
seen=$(node run.mjs)
echo "feedparser@2.6.0"
echo "seen: $seen"
[ "$seen" = '[["Ada","Shop","Shop"],["Ada",null,null],["Ada"]]' ]
