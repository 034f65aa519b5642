#!/usr/bin/env bash
# fast-safe-stringify turns a list of products into the text "[unable to serialize, circular reference is too complex to analyze]", in quotes and thus valid JSON, if one of them has a BigInt. There is no circle. One would guess the error of JSON.stringify, "Do not know
# how to serialize a BigInt", or the number, which safe-stable-stringify writes. Whatever JSON.stringify raises is taken for a circle.
# Drivers of databases give the ids and stocks of 64-bit columns as BigInt. An API or a log that serialises with it answers 200 and one text instead of the list, and what it says sends one looking for a circle.
# Version: fast-safe-stringify 2.1.1, safe-stable-stringify 2.5.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund fast-safe-stringify@2.1.1 safe-stable-stringify@2.5.0
cat > run.js <<'JS'
import fast from "fast-safe-stringify";
import { stringify } from "safe-stable-stringify";

const products = [{ slug: "mug", stock: 5 }, { slug: "lamp", stock: 7n }];
console.log(fast(products));
console.log(stringify(products));
JS
seen=$(node run.js)
echo "fast-safe-stringify 2.1.1"
echo "seen: $seen"
[ "$seen" = '"[unable to serialize, circular reference is too complex to analyze]"
[{"slug":"mug","stock":5},{"slug":"lamp","stock":7}]' ]
