#!/usr/bin/env bash
# Tempura escapes "<" as "&lt", without the semicolon, though & and quotes get theirs. A browser forgives it in text, where "&lt5" is "<5", but in an attribute a name without a semicolon before a letter or digit stays as it
# is: the alt text of "Cable <5m" is read out as "Cable &lt5m". An XML reader takes nothing of it: one such title, and the whole feed is "not well-formed". One would guess "&lt;", as all others write.
# A feed or a sitemap of images from Tempura works until the first title with a "<".
# What to do: pass an escape of your own, tempura.compile(text, { escape }).
# Versions: tempura 0.4.1, parse5 8.0.0 (as a browser reads) and saxes 6.0.0 (XML), seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund tempura@0.4.1 parse5@8.0.0 saxes@6.0.0
cat > run.js <<'JS'
import { parseFragment } from "parse5";
import { SaxesParser } from "saxes";
import { compile } from "tempura";

const product = { title: 'Cable <5m & "plug"' };
const image = compile('{{#expect title}}<img alt="{{ title }}">{{ title }}')(product);
console.log(image);
const [{ attrs }, { value }] = parseFragment(image).childNodes;
console.log(`a browser: alt ${attrs[0].value}, text ${value}`);
const parser = new SaxesParser();
parser.on("error", ({ message }) => console.log(`XML: ${message.replace(/^[\d:]+ /, "")}`));
parser.write(compile("{{#expect title}}<item><title>{{ title }}</title></item>")(product)).close();
JS
seen=$(node run.js)
echo "tempura 0.4.1, parse5 8.0.0, saxes 6.0.0"
echo "seen: $seen"
[ "$seen" = '<img alt="Cable &lt5m &amp; &quot;plug&quot;">Cable &lt5m &amp; &quot;plug&quot;
a browser: alt Cable &lt5m & "plug", text Cable <5m & "plug"
XML: disallowed character in entity name.' ]
