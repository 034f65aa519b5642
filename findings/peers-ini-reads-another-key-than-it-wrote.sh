#!/usr/bin/env bash
# ini writes the key "products?page=2" in quotes, because of its equals sign, and reads it back as the key "products?page (with one quote) and the value 2"=…. One would guess that a key in quotes is read as a key in quotes: ini reads a value so, and its writer relies on it.
# Who keeps an ETag or a time for each address of an API in an .ini file finds none of the addresses with a query again: every list is fetched anew.
# Version: ini 6.0.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund ini@6.0.0
cat > run.js <<'JS'
import { parse, stringify } from "ini";

let etags = { products: "a1", "products?page=2": "b2" };
for (let save = 0; save < 2; save++) {
  const text = stringify(etags);
  etags = parse(text);
  console.log(text.trim().split("\n").join(" ; "), JSON.stringify(etags));
}
JS
seen=$(node run.js)
echo "ini 6.0.0"
echo "seen: $seen"
[ "$seen" = 'products=a1 ; "products?page=2"=b2 {"products":"a1","\"products?page":"2\"=b2"}
products=a1 ; "products?page="2\"=b2" {"products":"a1","\"products?page":"2\"=b2"}' ]
