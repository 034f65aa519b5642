#!/usr/bin/env bash
# elementtree of npm, made after Python's library of this name, reads <title>Mug <b>5</b> litres</title> and writes <title>Mug <b>5</b></title>: the text behind an element, which it has read as the
# tail of b, is not written. One would guess what Python's ElementTree does, which writes the tail back.
# A program that changes one price in a feed and writes the feed again cuts each title and description in XHTML at the end of its first element, without an error.
# Version: elementtree 0.1.7 of npm, seen on Node 20 and 24; Python 3.11 (Debian's package python3).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund elementtree@0.1.7
cat > run.js <<'JS'
const { parse } = require("elementtree");

for (const xml of ["<title>Mug</title>", "<title>Mug <b>5</b> litres</title>", "<title>Mug <b>5</b> <i>litres</i>, blue</title>"]) {
  const tree = parse(xml);
  console.log(tree.write({ xml_declaration: false }), JSON.stringify(tree.find("./b")?.tail ?? null));
}
JS
cat > run.py <<'PY'
from xml.etree import ElementTree
print(ElementTree.tostring(ElementTree.fromstring("<title>Mug <b>5</b> litres</title>"), encoding="unicode"))
PY
seen=$(node run.js; /usr/bin/python3 run.py)
echo "elementtree@$(node -p 'JSON.parse(fs.readFileSync("node_modules/elementtree/package.json")).version'), $(/usr/bin/python3 --version)"
echo "seen: $seen"
[ "$seen" = '<title>Mug</title> null
<title>Mug <b>5</b></title> " litres"
<title>Mug <b>5</b><i>litres</i></title> " "
<title>Mug <b>5</b> litres</title>' ]
