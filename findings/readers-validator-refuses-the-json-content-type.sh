#!/usr/bin/env bash
# validator.js knows "charset" at text types only: isMimeType refuses "application/json; charset=utf-8", which Express and most APIs send, and accepts
# "text/csv; charset=utf-8". And isEAN refuses the twelve digits of a UPC, "036000291452", which GS1 and schema.org call gtin12. One would guess that
# both pass. A reader that checks catalog answers or an import with it drops every JSON answer and all products with an American barcode.
# Version: validator 13.15.35, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund validator@13.15.35
cat > run.js <<'JS'
import validator from "validator";

for (const type of ["application/json", "application/json; charset=utf-8", "text/csv; charset=utf-8"]) console.log(`${type}: ${validator.isMimeType(type)}`);
for (const code of ["4006381333931", "036000291452", "0036000291452"]) console.log(`${code}: ${validator.isEAN(code)}`);
JS
seen=$(node run.js)
echo "validator@13.15.35"
echo "seen: $seen"
[ "$seen" = 'application/json: true
application/json; charset=utf-8: false
text/csv; charset=utf-8: true
4006381333931: true
036000291452: false
0036000291452: true' ]
