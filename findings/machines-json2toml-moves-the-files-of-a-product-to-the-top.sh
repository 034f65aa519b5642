#!/usr/bin/env bash
# json2toml writes a list or an object inside the records of a list under its own name only: the files of a product become [[files]] of the whole document instead of [[products.files]], and each plain field that
# follows them in the record, such as its price, becomes a field of the last file. smol-toml reads the result without an error: a product without files and price, and a file with a price.
# One would guess the path, since an object inside an object gets it ([shop.address]).
# A catalog written as TOML for a static site loses what is nested in its records, and what stands behind it.
# Version: json2toml 6.1.2, read with smol-toml 1.9.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund json2toml@6.1.2 smol-toml@1.9.1
cat > run.mjs <<'JS'
import { createRequire } from "node:module";
import { parse } from "smol-toml";

const write = createRequire(import.meta.url)("json2toml");
console.log(JSON.stringify(parse(write({ products: [{ title: "Mug", files: [{ size: 5 }], price: 20 }, { title: "Cup", price: 5 }] }))));
console.log(JSON.stringify(parse(write({ shop: { address: { city: "Bern" } } }))));
JS
seen=$(node run.mjs)
echo "json2toml@6.1.2, smol-toml@1.9.1"
echo "seen: $seen"
[ "$seen" = '{"products":[{"title":"Mug"},{"title":"Cup","price":5}],"files":[{"size":5,"price":20}]}
{"shop":{"address":{"city":"Bern"}}}' ]
