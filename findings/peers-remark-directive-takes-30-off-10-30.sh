#!/usr/bin/env bash
# remark-directive, the plugin behind the notes and cards of several site generators: in plain text, a colon with a letter or a digit after it begins a directive. "Opens 10:30", "16:9 screen" and "SKU:ABC-1" become "Opens 10", "16 screen" and
# "SKU" with an empty <div> each, and https://shop.example:8080/mug loses its port. No message, exit code 0. One would guess that a directive needs a space before it, or brackets after its name, or that an unknown one stays as it was written:
# a colon with a space after it, "C::C" and code do.
# Docusaurus and Starlight put such texts back themselves.
# Descriptions of a catalog that are rendered so lose ratios, times, ports and article numbers.
# Version: remark-directive 4.0.0 with remark-parse 11.0.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund unified@11.0.5 remark-parse@11.0.0 remark-directive@4.0.0 remark-rehype@11.1.2 rehype-stringify@10.0.1
cat > run.js <<'JS'
import { unified } from "unified";
import parse from "remark-parse";
import directive from "remark-directive";
import toHtml from "remark-rehype";
import stringify from "rehype-stringify";
const texts = ["Opens 10:30, 16:9 screen", "SKU:ABC-1", "https://shop.example:8080/mug", "Size: M, `16:9`"];
const plain = unified().use(parse).use(toHtml).use(stringify);
const withDirectives = unified().use(parse).use(directive).use(toHtml).use(stringify);
for (const text of texts) console.log(String(await plain.process(text)), "|", String(await withDirectives.process(text)));
JS
seen=$(node run.js)
echo "remark-directive $(node -p 'JSON.parse(fs.readFileSync("node_modules/remark-directive/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '<p>Opens 10:30, 16:9 screen</p> | <p>Opens 10<div></div>, 16<div></div> screen</p>
<p>SKU:ABC-1</p> | <p>SKU<div></div></p>
<p>https://shop.example:8080/mug</p> | <p>https://shop.example<div></div>/mug</p>
<p>Size: M, <code>16:9</code></p> | <p>Size: M, <code>16:9</code></p>' ]
