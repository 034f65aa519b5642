#!/usr/bin/env bash
# xml, xml-js (js2xml with compact), json2xml and data2xml write { updated: new Date(…) } as an empty element, without an error; texts and numbers beside it are right. One would guess the ISO time, as jsontoxml and easyxml write, or the text of String().
# A Date has no fields of its own, and so is an object without content to the four.
# Database drivers give times as Date: a feed of records, written by one of them, has an empty <updated/> or <pubDate/> in each entry, and a reader shows them undated or new. JSON.parse(JSON.stringify(record)) first does it.
# Version: xml 1.0.1, xml-js 1.6.11, json2xml 0.1.3, data2xml 1.3.4, jsontoxml 1.0.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund xml@1.0.1 xml-js@1.6.11 json2xml@0.1.3 data2xml@1.3.4 jsontoxml@1.0.1
cat > run.js <<'JS'
const entry = { id: 1, updated: new Date(0) };
const ways = {
  xml: () => require("xml")([{ entry: [{ id: entry.id }, { updated: entry.updated }] }]),
  "xml-js": () => require("xml-js").js2xml({ entry }, { compact: true }),
  json2xml: () => require("json2xml")({ entry }),
  data2xml: () => require("data2xml")({ xmlDecl: false })("entry", entry),
  jsontoxml: () => require("jsontoxml")({ entry }),
};
for (const [name, write] of Object.entries(ways)) console.log(name, write());
JS
seen=$(node run.js)
for name in xml xml-js json2xml data2xml jsontoxml; do echo "$name@$(node -p "JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version")"; done
echo "seen: $seen"
[ "$seen" = 'xml <entry><id>1</id><updated/></entry>
xml-js <entry><id>1</id><updated/></entry>
json2xml <entry><id>1</id><updated/></entry>
data2xml <entry><id>1</id><updated></updated></entry>
jsontoxml <entry><id>1</id><updated>1970-01-01T00:00:00.000Z</updated></entry>' ]
