#!/usr/bin/env bash
# fast-json-patch applies "replace" and "remove" of a member that is missing without an error: the first adds it, the second does nothing. RFC 6902 says that the target
# must exist, and rfc6902 reports a MissingError. One would guess that a patch made for another version of a document fails. A reader that keeps a
# catalog by patches of its changes mixes two versions; validate, the third argument of applyPatch, is off unless it is asked for.
# Version: fast-json-patch 3.1.1, rfc6902 5.4.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund fast-json-patch@3.1.1 rfc6902@5.4.0
cat > run.cjs <<'JS'
const fast = require("fast-json-patch");
const rfc6902 = require("rfc6902");

const patches = [[{ op: "replace", path: "/price", value: 19.9 }], [{ op: "remove", path: "/sale" }]];
for (const patch of patches) {
  const product = { id: 1 };
  const [error] = rfc6902.applyPatch(product, patch);
  console.log(`${patch[0].op}: fast-json-patch ${JSON.stringify(fast.applyPatch({ id: 1 }, patch).newDocument)}, rfc6902 ${error?.name ?? "no error"}`);
}
JS
seen=$(node run.cjs)
echo "fast-json-patch@3.1.1 rfc6902@5.4.0"
echo "seen: $seen"
[ "$seen" = 'replace: fast-json-patch {"id":1,"price":19.9}, rfc6902 MissingError
remove: fast-json-patch {"id":1}, rfc6902 MissingError' ]
