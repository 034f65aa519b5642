#!/usr/bin/env bash
# hash-object gives { updated: one Date } and { updated: another Date } one hash, as for any two URLs: it makes plain objects of them first, and a Date has no fields.
# hash-obj, of the same author and nearly the same name, sees the change, as do object-hash, ohash and hash-sum. One would guess that a Date counts by its time.
# A record as a database driver gives it has Dates: a new price that begins tomorrow instead of in a week, or a changed time of the last update, is "unchanged", and its file is never written again.
# What to do: hash the JSON text of a record, or make texts of its Dates before.
# Versions: hash-object 5.1.0, hash-obj 5.0.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund hash-object@5.1.0 hash-obj@5.0.0
cat > run.js <<'JS'
import hashObj from "hash-obj";
import hashObject from "hash-object";

const pairs = {
  day: [{ saleFrom: new Date("2026-11-29") }, { saleFrom: new Date("2026-12-06") }],
  dayAsText: [{ saleFrom: "2026-11-29" }, { saleFrom: "2026-12-06" }],
  address: [{ link: new URL("https://shop.example/mug") }, { link: new URL("https://shop.example/cup") }],
};
const verdict = (hash, [one, other]) => (hash(one) === hash(other) ? "same" : "changed");
for (const [name, pair] of Object.entries(pairs)) console.log(`${name}: hash-object ${verdict(hashObject, pair)}, hash-obj ${name === "address" ? "-" : verdict(hashObj, pair)}`);
JS
seen=$(node run.js)
echo "hash-object 5.1.0, hash-obj 5.0.0"
echo "seen: $seen"
[ "$seen" = 'day: hash-object same, hash-obj changed
dayAsText: hash-object changed, hash-obj changed
address: hash-object same, hash-obj -' ]
