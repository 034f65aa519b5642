#!/usr/bin/env bash
# A product's cover is also the first of its images: in memory one object, in JSON two equal ones. object-hash, hash-it and hash-sum mark the second use as "circular", so the hash of the record differs from
# the hash of the same record read back from JSON. hash-sum writes the mark without saying of what: the sizes [S, L, S] and [S, L, L] have one hash. One would guess that only a real circle is marked
# (ohash and hash-object do so), and that equal values have equal hashes.
# A build that asks "did the record change?" by these writes every such product again after a restart, and with hash-sum it misses that a variant got another picture or price.
# What to do: hash the text, such as createHash("sha256").update(stableStringify(record)).
# Versions: object-hash 3.0.0, hash-it 7.0.2, hash-sum 2.0.0, ohash 2.0.12, hash-object 5.1.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund object-hash@3.0.0 hash-it@7.0.2 hash-sum@2.0.0 ohash@2.0.12 hash-object@5.1.0
cat > run.js <<'JS'
import { hash as hashIt } from "hash-it";
import hashObject from "hash-object";
import hashSum from "hash-sum";
import objectHash from "object-hash";
import { hash as ohash } from "ohash";

const [small, large] = [{ file: "s.jpg", width: 300 }, { file: "l.jpg", width: 900 }];
const product = { slug: "mug", cover: small, images: [small, large] };
const readBack = JSON.parse(JSON.stringify(product));
for (const [name, hash] of Object.entries({ objectHash, hashIt, hashSum, ohash, hashObject })) {
  const itself = hash(product) === hash(readBack) ? "itself" : "another";
  const changed = hash([small, large, small]) === hash([small, large, large]) ? "missed" : "seen";
  console.log(`${name}: read back it is ${itself}, a change of the third picture is ${changed}`);
}
JS
seen=$(node run.js)
echo "object-hash 3.0.0, hash-it 7.0.2, hash-sum 2.0.0, ohash 2.0.12, hash-object 5.1.0"
echo "seen: $seen"
[ "$seen" = 'objectHash: read back it is another, a change of the third picture is seen
hashIt: read back it is another, a change of the third picture is seen
hashSum: read back it is another, a change of the third picture is missed
ohash: read back it is itself, a change of the third picture is seen
hashObject: read back it is itself, a change of the third picture is seen' ]
