#!/usr/bin/env bash
# json-diff-ts makes of two removed elements of a list, ["a","b","c","d"] to ["a","d"], the atomic changes "l[1] is d, remove l[2], remove l[3]", and applying them gives ["a","d","d"]: after the first removal the second place is another, or
# none. ["a","b"] to [] gives ["b"]. Applied before they are made atomic they are right, and with one removed element, too. One would guess that changes are written in an order in which they hold, from the end.
# A mirror of a catalog that is fed by such changes shows a product twice, or one that was withdrawn; one image of a gallery that was emptied stays. JSON Patch (rfc6902) has it right.
# Version: json-diff-ts 4.10.4, rfc6902 5.4.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund json-diff-ts@4.10.4 rfc6902@5.4.0
cat > run.mjs <<'JS'
import { applyChangeset, atomizeChangeset, diff, unatomizeChangeset } from "json-diff-ts";
import { applyPatch, createPatch } from "rfc6902";

for (const [before, after] of [["abcd", "ad"], ["ab", ""], ["ab", "a"]]) {
  const [from, to] = [{ images: [...before] }, { images: [...after] }];
  const changes = diff(from, to);
  const whole = applyChangeset(structuredClone(from), changes);
  const atomic = applyChangeset(structuredClone(from), unatomizeChangeset(atomizeChangeset(changes)));
  const patched = structuredClone(from);
  applyPatch(patched, createPatch(from, to));
  console.log(`"${before}" to "${after}": whole "${whole.images.join("")}" atomic "${atomic.images.join("")}" JSON Patch "${patched.images.join("")}"`);
}
JS
seen=$(node run.mjs)
echo "json-diff-ts@4.10.4 rfc6902@5.4.0"
echo "seen: $seen"
[ "$seen" = '"abcd" to "ad": whole "ad" atomic "add" JSON Patch "ad"
"ab" to "": whole "" atomic "b" JSON Patch ""
"ab" to "a": whole "a" atomic "a" JSON Patch "a"' ]
