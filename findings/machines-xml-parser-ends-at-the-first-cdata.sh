#!/usr/bin/env bash
# xml-parser gives two of two products, and one of them if the first has a description in CDATA: the element is empty, all elements behind it, in the product and in the list, are missing, and there is no error. One would guess the text, or
# an error for what it does not know.
# RSS and product feeds put their descriptions into CDATA: of a feed of a thousand products the program sees the beginning of the first, and takes the others for withdrawn.
# Version: xml-parser 1.2.1, txml 6.0.3 beside it, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund xml-parser@1.2.1 txml@6.0.3
cat > run.js <<'JS'
const parse = require("xml-parser");
const { parse: txml } = require("txml");

for (const about of ["Blue", "<![CDATA[Blue]]>", "<![CDATA[5 < 6]]>"]) {
  const feed = `<products><product><title>Mug</title><about>${about}</about><price>19.90</price></product><product><title>Cup</title></product></products>`;
  const products = parse(feed).root.children;
  console.log(about, products.map(({ children }) => children.map(({ name, content }) => `${name}:${content}`).join(" ")).join(" | "), "of", txml(feed)[0].children.length);
}
JS
seen=$(node run.js)
echo "xml-parser@$(node -p 'JSON.parse(fs.readFileSync("node_modules/xml-parser/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'Blue title:Mug about:Blue price:19.90 | title:Cup of 2
<![CDATA[Blue]]> title:Mug about: of 2
<![CDATA[5 < 6]]> title:Mug about: of 2' ]
