#!/usr/bin/env bash
# xml, the XML writer of npm that rss is made with, writes { tags: ["mug", "blue"] } as <tags>blue</tags>, ["Mug ", { b: "blue" }, " large"] as <title>Mug  large</title> and { brand: { name: "Acme" } } as <brand/>, without an error. One would
# guess <tags>mugblue</tags>, or an element for each, as xml-js and to-xml make of a list of texts, and the element between its two texts.
# A product with one tag is right, and so are lists of objects, which its examples show: in a feed of a catalog's records each list of texts has its last text, and each object with fields is empty.
# Version: xml 1.0.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund xml@1.0.1
cat > run.js <<'JS'
const xml = require("xml");

for (const content of [
  { tags: ["mug"] },
  { tags: ["mug", "blue"] },
  { tags: [{ tag: "mug" }, { tag: "blue" }] },
  { title: ["Mug ", { b: "blue" }, " large"] },
  { brand: [{ name: "Acme" }] },
  { brand: { name: "Acme" } },
]) console.log(JSON.stringify(content), xml(content));
JS
seen=$(node run.js)
echo "xml@$(node -p 'JSON.parse(fs.readFileSync("node_modules/xml/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '{"tags":["mug"]} <tags>mug</tags>
{"tags":["mug","blue"]} <tags>blue</tags>
{"tags":[{"tag":"mug"},{"tag":"blue"}]} <tags><tag>mug</tag><tag>blue</tag></tags>
{"title":["Mug ",{"b":"blue"}," large"]} <title>Mug  large</title>
{"brand":[{"name":"Acme"}]} <brand><name>Acme</name></brand>
{"brand":{"name":"Acme"}} <brand/>' ]
