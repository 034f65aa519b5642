#!/usr/bin/env bash
# Value.Patch(a, Value.Diff(a, b)) of TypeBox should be b. With a changed value below a key that has a slash, specs["S/M"] or specs["1/2 inch"], it is not: the old value stays, and a new branch specs.S.M beside it has the new one.
# One would guess that the diff escapes the slash, as JSON Pointer (RFC 6901) has it and as its own keys with "." and "~" come through, or that it fails.
# Whoever sends a catalog's changes as such edits keeps the old price of each size in "S/M", and the record gains a key that no schema knows.
# Version: @sinclair/typebox 0.34.52, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @sinclair/typebox@0.34.52
cat > run.mjs <<'JS'
import { Value } from "@sinclair/typebox/value";

for (const key of ["S.M", "S~M", "S/M"]) {
  const before = { prices: { [key]: 19, L: 20 } };
  const after = { prices: { [key]: 25, L: 20 } };
  console.log(`${key}: ${JSON.stringify(Value.Patch(before, Value.Diff(before, after)))}`);
}
JS
seen=$(node run.mjs | tr '\n' ' ')
echo "@sinclair/typebox@0.34.52"
echo "seen: $seen"
[ "$seen" = 'S.M: {"prices":{"S.M":25,"L":20}} S~M: {"prices":{"S~M":25,"L":20}} S/M: {"prices":{"S/M":19,"L":20,"S":{"M":25}}} ' ]
