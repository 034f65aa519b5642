#!/usr/bin/env bash
# The sanitizer xss takes the address out of every link that is relative to the page: href="products/5" and href="?page=2" become a bare href, src="a.jpg" a bare
# src; "/products/5", "./products/5" and "#top" stay. One would guess that what names no scheme is kept, as DOMPurify and sanitize-html do.
# A bare href is a link to the page itself: descriptions with relative links look right and lead nowhere, without a warning at build time.
# Version: xss 1.0.17, beside sanitize-html 2.18.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund xss@1.0.17 sanitize-html@2.18.1
cat > run.js <<'JS'
import sanitize from "sanitize-html";
import xss from "xss";

for (const html of ['<a href="products/5">x</a>', '<a href="?page=2">x</a>', '<img src="a.jpg">', '<a href="./products/5">x</a>', '<a href="/products/5">x</a>'])
  console.log(html, xss(html), sanitize(html, { allowedTags: ["a", "img"] }));
JS
seen=$(node run.js)
echo "xss $(node -p 'require("./node_modules/xss/package.json").version')"
echo "seen: $seen"
[ "$seen" = '<a href="products/5">x</a> <a href>x</a> <a href="products/5">x</a>
<a href="?page=2">x</a> <a href>x</a> <a href="?page=2">x</a>
<img src="a.jpg"> <img src> <img src="a.jpg" />
<a href="./products/5">x</a> <a href="./products/5">x</a> <a href="./products/5">x</a>
<a href="/products/5">x</a> <a href="/products/5">x</a> <a href="/products/5">x</a>' ]
