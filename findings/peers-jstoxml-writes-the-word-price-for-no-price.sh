#!/usr/bin/env bash
# jstoxml makes of { price: null } the bare word "price" as text beside the other elements, of undefined an empty element, and of a Date the English text of the machine's zone. One would guess an
# empty element, or nothing, for both, and an ISO date. A feed of products stays well-formed XML, so nobody sees it: readers that take the
# text of an item get words, and those that look for the price find no element at all.
# Version: jstoxml 7.1.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund jstoxml@7.1.1
cat > run.js <<'JS'
import * as module from "jstoxml";

const { toXML } = module.toXML ? module : module.default;
console.log(toXML({ item: { slug: "mug", price: null, brand: undefined, stock: 0, changed: new Date("2026-11-28T10:00:00Z") } }));
JS
seen=$(TZ=Europe/Berlin LC_ALL=C node run.js)
echo "jstoxml $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/jstoxml/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '<item><slug>mug</slug>price<brand/><stock>0</stock><changed>Sat Nov 28 2026 11:00:00 GMT+0100 (Central European Standard Time)</changed></item>' ]
