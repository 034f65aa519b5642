#!/usr/bin/env bash
# node-object-hash gives one hash to a product whose first two images were exchanged, to the numbers of an order as 1 and as "1", to no subtitle (null) and an empty one, and to the tags ["a,b"] and ["a", "b"].
# One would guess that only the order of keys is nothing, as in Gatsby's createContentDigest, which is built on it with other options: by default it sorts lists and makes texts of values. Whoever asks
# "did the record change?" by it publishes no new first image.
# Version: node-object-hash@3.1.1 and gatsby-core-utils@4.16.0, seen on Node 24.21.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" node-object-hash@3.1.1 gatsby-core-utils@4.16.0 > /dev/null
cat > "$dir/run.cjs" <<'JS'
const { hasher } = require('node-object-hash');
const { createContentDigest } = require('gatsby-core-utils');
const pairs = {
  keys: [{ a: 1, b: 2 }, { b: 2, a: 1 }],
  images: [{ images: ['front.jpg', 'back.jpg'] }, { images: ['back.jpg', 'front.jpg'] }],
  types: [{ rank: 1 }, { rank: '1' }],
  nothing: [{ subtitle: null }, { subtitle: '' }],
  tags: [{ tags: ['a,b'] }, { tags: ['a', 'b'] }],
};
const same = (digest) => Object.keys(pairs).filter((name) => digest(pairs[name][0]) === digest(pairs[name][1]));
console.log(`the same for node-object-hash: ${same((value) => hasher().hash(value))}; for Gatsby: ${same(createContentDigest)}`);
JS
node --version
seen=$(node "$dir/run.cjs")
echo "seen: $seen"
[ "$seen" = 'the same for node-object-hash: keys,images,types,nothing,tags; for Gatsby: keys' ]
