#!/usr/bin/env bash
# toJSON of Arquero writes a value that is undefined as the bare word undefined, which no JSON parser reads, its own fromJSON neither. One would guess null, as JSON.stringify writes in a list, and as it writes a NaN itself.
# aq.from of catalog records makes such values: it takes the columns from the first record, and a later record that lacks one has undefined there.
# A build step that writes a table for the page is fine until one product has no sale price; then the whole file cannot be read.
# Version: arquero 7.2.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund arquero@7.2.1
cat > run.js <<'JS'
import { from, fromJSON } from "arquero";

const text = from([{ slug: "mug", sale: 5 }, { slug: "cup" }, { slug: "gift", sale: NaN }]).toJSON({ schema: false });
let again = "is read";
try {
  fromJSON(text);
} catch (error) {
  again = error.name;
}
console.log(text, again);
JS
seen=$(node run.js)
echo "arquero@7.2.1"
echo "seen: $seen"
[ "$seen" = '{"slug":["mug","cup","gift"],"sale":[5,undefined,null]} SyntaxError' ]
