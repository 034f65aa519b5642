#!/usr/bin/env bash
# normalizr puts every record that has no "id" under the key "undefined" of one table: of three products with slugs only one is left, with the fields of the last over those of the others, and the list of results is three times undefined.
# One would guess an error that names idAttribute, or that each is kept. Records of one id are merged field by field as well, so a sale of the shorter record that was read first stays on the one that has none.
# A list of a catalog that is addressed by slug shows nothing, for denormalize() of that result finds none of them; nothing says why.
# Version: normalizr 3.6.2, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund normalizr@3.6.2
cat > run.mjs <<'JS'
import { denormalize, normalize, schema } from "normalizr";

const product = new schema.Entity("products");
const { entities, result } = normalize([{ slug: "mug", price: 9, sale: 5 }, { slug: "cup", price: 8 }, { slug: "pot", title: "Pot" }], [product]);
console.log(JSON.stringify(entities), result.map(String).join(" "), JSON.stringify(denormalize(result, [product], entities)));
JS
seen=$(node run.mjs)
echo "normalizr@3.6.2"
echo "seen: $seen"
[ "$seen" = '{"products":{"undefined":{"slug":"pot","price":8,"sale":5,"title":"Pot"}}} undefined undefined undefined [null,null,null]' ]
