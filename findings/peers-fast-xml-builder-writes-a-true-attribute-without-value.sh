#!/usr/bin/env bash
# XMLBuilder of fast-xml-parser writes the attribute available: true as <offer available>, which is no XML (its own XMLValidator refuses it), and moves null to the front of a list: 1, null, 2
# comes out as null, 1, 2. xml2js writes a Date as an empty element. One would guess available="true", the list's order, and an ISO time. A feed made of
# records that come from a database has booleans, nulls and dates.
# Version: fast-xml-parser 5.12.1, xml2js 0.6.2.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund fast-xml-parser@5.12.1 xml2js@0.6.2
cat > run.js <<'JS'
import { XMLBuilder, XMLValidator } from "fast-xml-parser";
import xml2js from "xml2js";

const offer = new XMLBuilder({ ignoreAttributes: false }).build({ offer: { "@_available": true, "#text": "Mug" } });
console.log(offer, XMLValidator.validate(offer).err?.code);
console.log(new XMLBuilder().build({ sizes: { size: [1, null, 2] } }));
console.log(new xml2js.Builder({ headless: true, renderOpts: { pretty: false } }).buildObject({ sale: { until: new Date(0), price: 5 } }));
JS
seen=$(node run.js)
echo "fast-xml-parser@5.12.1 xml2js@0.6.2"
echo "seen: $seen"
[ "$seen" = '<offer available>Mug</offer> InvalidAttr
<sizes><size/><size>1</size><size>2</size></sizes>
<sale><until/><price>5</price></sale>' ]
