#!/usr/bin/env bash
# deep-object-diff finds no difference between {"attributes":[]} and {"attributes":{}}, nor between ["S"] and {"0":"S"}. One would guess a change, as microdiff and just-diff say: they look whether it is a list, deep-object-diff only at the keys.
# PHP writes an empty map as [] and a list with a hole as an object with the keys "0" and "2". Of two snapshots of a catalog, the one whose readers now stop at attributes.color, or at sizes.map, is "unchanged".
# Version: deep-object-diff 1.1.9, microdiff 1.5.0, just-diff 6.0.2, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund deep-object-diff@1.1.9 microdiff@1.5.0 just-diff@6.0.2
cat > run.js <<'JS'
import { detailedDiff, diff } from "deep-object-diff";
import { diff as just } from "just-diff";
import micro from "microdiff";

for (const [before, after] of [[{ attributes: [] }, { attributes: {} }], [{ sizes: ["S"] }, { sizes: { 0: "S" } }]]) {
  console.log(JSON.stringify([diff(before, after), detailedDiff(before, after)]), micro(before, after).length, just(before, after).length);
}
JS
seen=$(node run.js)
echo "deep-object-diff 1.1.9"
echo "seen: $seen"
[ "$seen" = '[{},{"added":{},"deleted":{},"updated":{}}] 1 1
[{},{"added":{},"deleted":{},"updated":{}}] 1 1' ]
