#!/usr/bin/env bash
# turndown escapes the underscores of an address that is text: <p>https://shop.example/blue_mug_2</p> becomes https://shop.example/blue\_mug\_2. GitHub's Markdown makes a link of each address, with the backslashes in it (%5C): a 404. In CommonMark, which makes no links of it, the text is right.
# rehype-remark escapes the same words only where Markdown would read them otherwise, and one would guess that turndown's plugin for GitHub's Markdown does, at least.
# Descriptions of products that are kept as Markdown name manuals, licence pages and SKUs with underscores in plain text.
# Version: turndown 7.2.5 with turndown-plugin-gfm 1.0.2, marked 18.2.1 and micromark-extension-gfm 3.0.0 to read it, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund turndown@7.2.5 turndown-plugin-gfm@1.0.2 marked@18.2.1 micromark@4.0.2 micromark-extension-gfm@3.0.0
cat > run.js <<'JS'
import Turndown from "turndown";
import { gfm as plugin } from "turndown-plugin-gfm";
import { marked } from "marked";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

const turndown = new Turndown();
turndown.use(plugin);
const text = turndown.turndown("<p>Manual: https://shop.example/blue_mug_2</p>");
console.log(text);
for (const html of [marked(text), micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })]) console.log(html.match(/href="([^"]*)"/)[1]);
JS
seen=$(node run.js)
echo "turndown 7.2.5"
echo "seen: $seen"
[ "$seen" = 'Manual: https://shop.example/blue\_mug\_2
https://shop.example/blue%5C_mug%5C_2
https://shop.example/blue%5C_mug%5C_2' ]
