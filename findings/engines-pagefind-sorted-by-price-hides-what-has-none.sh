#!/usr/bin/env bash
# Pagefind finds 4 mugs, but 3 when the same search is sorted by price: the one without a price is left out, not last; sorted by a name that no record has ("prise") all 4 come, unsorted, without an error. One would guess
# that sorting changes no number of hits, or else that an unknown name leaves out all. And one price written "from 19.90" makes all prices texts: 100 comes before 9.90.
# Version: pagefind@1.6.0 (its index API and its script for the browser, here with a fetch that reads files), seen on Node 24.21.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" pagefind@1.6.0 > /dev/null
cd "$dir"
cat > write.mjs <<'JS'
import { close, createIndex } from 'pagefind';
for (const folder of ['plain', 'worded']) {
  const { index } = await createIndex();
  const prices = { '/a': '9.90', '/b': folder === 'worded' ? 'from 19.90' : '19.90', '/c': '100', '/d': null };
  for (const [url, price] of Object.entries(prices)) {
    await index.addCustomRecord({ url, content: 'mug', language: 'en', meta: { title: url }, sort: price ? { price } : {} });
  }
  await index.writeFiles({ outputPath: folder });
}
await close();
JS
cat > read.mjs <<'JS'
import { readFileSync } from 'node:fs';
const folder = process.argv[2];
globalThis.window = globalThis;
globalThis.location = { origin: 'http://shop.example', href: 'http://shop.example/' };
globalThis.document = { currentScript: null, querySelector: () => ({ getAttribute: () => 'en' }) };
globalThis.fetch = async (url) => new Response(readFileSync(new URL(url, location.href).pathname.slice(1)));
const pagefind = await import(`./${folder}/pagefind.js`);
await pagefind.options({ basePath: `http://shop.example/${folder}/`, baseUrl: '/', noWorker: true });
for (const sort of [undefined, { price: 'asc' }, { prise: 'asc' }]) {
  const { results } = await pagefind.search('mug', { sort });
  const urls = (await Promise.all(results.map((one) => one.data()))).map((one) => one.url);
  console.log(`${sort ? Object.keys(sort) : 'unsorted'}: ${sort?.price ? urls : urls.length}`);
}
process.exit(0);
JS
node write.mjs
for folder in plain worded; do echo '{"type":"module"}' > $folder/package.json; done
node --version
seen=$(for folder in plain worded; do node read.mjs $folder | tr '\n' ';'; done)
echo "seen: $seen"
[ "$seen" = 'unsorted: 4;price: /a,/b,/c;prise: 4;unsorted: 4;price: /c,/a,/b;prise: 4;' ]
