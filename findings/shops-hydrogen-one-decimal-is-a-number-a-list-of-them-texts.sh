#!/usr/bin/env bash
# parseMetafield of Shopify's Hydrogen React makes the number 19.9 of a number_decimal and leaves the elements of a list.number_decimal as the texts they are in JSON, though its types say
# number[]; a list.date does become dates. One would guess that a list has what its elements would be alone. Sorted, "9.50" comes after "10.00", and a sum of
# the list is a longer text.
# Version: @shopify/hydrogen-react 2026.4.4 with react 19.3.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @shopify/hydrogen-react@2026.4.4 react@19.3.1 react-dom@19.3.1
cat > run.js <<'JS'
import { parseMetafield } from "@shopify/hydrogen-react";

const parsed = (type, value) => parseMetafield({ namespace: "sizes", key: "length", type, value }).parsedValue;
console.log(JSON.stringify([parsed("number_decimal", "19.90"), parsed("list.number_decimal", '["19.90"]')]), parsed("list.date", '["2026-11-28"]')[0] instanceof Date);
JS
seen=$(node run.js)
echo "@shopify/hydrogen-react $(node -p 'require("./node_modules/@shopify/hydrogen-react/package.json").version')"
echo "seen: $seen"
[ "$seen" = '[19.9,["19.90"]] true' ]
