#!/usr/bin/env bash
# Automerge takes the number 9007199254740991 (Number.MAX_SAFE_INTEGER) and gives it back as the bigint 9007199254740991n, at once and from a saved document: JSON.stringify refuses the document then. One less stays a number, as does 20; 1e21 becomes 9223372036854775807n, another number.
# One would guess that a document that promises JSON's data types gives a number back as a number, or refuses it as it refuses undefined.
# "No upper limit" is written with that constant in price filters and stock fields; a filter that is shared through Automerge cannot be put into a request any more, and comparing it with === fails.
# Version: @automerge/automerge 3.5.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @automerge/automerge@3.5.0
cat > run.js <<'JS'
import * as Automerge from "@automerge/automerge";

for (const below of [20, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER, 1e21]) {
  const filter = Automerge.load(Automerge.save(Automerge.from({ below })));
  let text;
  try { text = JSON.stringify(filter); } catch (error) { text = error.message; }
  console.log(typeof filter.below, String(filter.below), text);
}
JS
seen=$(node run.js)
echo "@automerge/automerge 3.5.0"
echo "seen: $seen"
[ "$seen" = 'number 20 {"below":20}
number 9007199254740990 {"below":9007199254740990}
bigint 9007199254740991 Do not know how to serialize a BigInt
bigint 9223372036854775807 Do not know how to serialize a BigInt' ]
