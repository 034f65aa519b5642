#!/usr/bin/env bash
# xml-js (js2xml, compact) and pixl-xml write a Date as an empty element, <updated_at/>: they take it for an object without fields. jsontoxml writes its ISO text, but glues a list: the sizes S and M are
# <sizes>SM</sizes>, and two products of a list are one element with two ids. One would guess toJSON(), as in JSON, and an element for each value.
# Rows of a database driver have Dates: a feed that is written of them has no times, and no size that anybody could order, without an error.
# Version: xml-js 1.6.11, pixl-xml 1.0.13, jsontoxml 1.0.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{}' > package.json
npm install --silent --no-audit --no-fund xml-js@1.6.11 pixl-xml@1.0.13 jsontoxml@1.0.1
cat > run.js <<'JS'
const product = { id: 1, updated_at: new Date("2026-01-02T03:04:05Z") };
console.log("xml-js", require("xml-js").js2xml({ product }, { compact: true }));
console.log("pixl-xml", require("pixl-xml").stringify(product, "product").replace(/<\?.*\?>|\s/g, ""));
console.log("jsontoxml", require("jsontoxml")({ product: [{ id: 1, sizes: ["S", "M"] }, { id: 2, sizes: ["L"] }] }));
JS
seen=$(node run.js)
echo "xml-js@1.6.11, pixl-xml@1.0.13, jsontoxml@1.0.1"
echo "seen: $seen"
[ "$seen" = 'xml-js <product><id>1</id><updated_at/></product>
pixl-xml <product><id>1</id><updated_at/></product>
jsontoxml <product><id>1</id><sizes>SM</sizes><id>2</id><sizes>L</sizes></product>' ]
