#!/usr/bin/env bash
# flat and dot-object cannot put back what they took apart: the facet counts { "36": 5, "38": 2 } come back as a list with 36 empty places, because a key of
# digits is taken for an index, and the version { "1.10": … } as a list in a list with flat. One would guess that unflatten(flatten(x)) is x. A catalog's
# JSON that passes through a key-value store or a translation file changes its facets' type; flat has an option "object" for it.
# Version: flat 6.0.1, dot-object 2.1.5, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund flat@6.0.1 dot-object@2.1.5
cat > run.js <<'JS'
import dot from "dot-object";
import { flatten, unflatten } from "flat";

const facets = { size: { 36: 5, 38: 2 } };
const show = ({ size }) => (Array.isArray(size) ? `a list of ${size.length}` : JSON.stringify(size));
console.log(`flat: ${show(unflatten(flatten(facets)))}\ndot-object: ${show(dot.object(dot.dot(facets)))}`);
console.log(`versions: ${JSON.stringify(unflatten(flatten({ files: { "1.2": "a.zip" } })))}`);
JS
seen=$(node run.js)
echo "flat@6.0.1 dot-object@2.1.5"
echo "seen: $seen"
[ "$seen" = 'flat: a list of 39
dot-object: a list of 39
versions: {"files":[null,[null,null,"a.zip"]]}' ]
