#!/usr/bin/env bash
# xliff (npm) starts a new line before a tag inside a text: "Now €<g>19.90</g>, was 25" is written as "Now €", a line end, ten blanks and "<g>19.90</g>", in XLIFF 1.2 and 2.0. Its own reader takes them away again; every other reader of XML has at least a blank there.
# One would guess that a program that indents elements leaves mixed text as it is, where each blank counts.
# A catalog's texts that go to translators and back come with "€ 19.90", "( new)" and a line end before each bold word.
# Version: xliff 6.4.0, seen on Node 20 and 24; Python 3.11.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund xliff@6.4.0
cat > run.js <<'JS'
import xliff from "xliff";

const source = ["Now €", { Span: { id: "1", contents: "19.90" } }, ", was 25"];
console.log(await xliff.js2xliff({ sourceLanguage: "en", targetLanguage: "de", resources: { shop: { price: { source } } } }));
JS
cat > run.py <<'PY'
import sys, xml.etree.ElementTree as ET
for source in ET.parse(sys.stdin).iter("{urn:oasis:names:tc:xliff:document:2.0}source"):
    text = "".join(source.itertext())
    print(repr(text), " ".join(text.split()))
PY
seen=$(node run.js | PYTHONIOENCODING=utf-8 /usr/bin/python3 run.py)
echo "xliff 6.4.0"
echo "seen: $seen"
[ "$seen" = ''"'"'Now €\n          19.90, was 25\n        '"'"' Now € 19.90, was 25' ]
