#!/usr/bin/env bash
# turndown, html-to-text, node-html-markdown, striptags and string-strip-html drop sup and sub without a trace: "10<sup>6</sup> cycles" becomes "106 cycles"
# and 5<sup>1</sup>/<sub>2</sub> inches become 51/2. One would guess a ^, a space or the tag, which Markdown allows. The plain-text
# description in a feed, a search index or a language model's context says other numbers than the shop, all of them plausible.
# Version: turndown 7.2.5, html-to-text 10.0.1, node-html-markdown 2.0.0, striptags 3.2.0, string-strip-html 13.7.6, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund turndown@7.2.5 html-to-text@10.0.1 node-html-markdown@2.0.0 striptags@3.2.0 string-strip-html@13.7.6
cat > run.js <<'JS'
import { convert } from "html-to-text";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { stripHtml } from "string-strip-html";
import striptags from "striptags";
import TurndownService from "turndown";

const readers = {
  turndown: (html) => new TurndownService().turndown(html),
  "html-to-text": (html) => convert(html),
  "node-html-markdown": (html) => NodeHtmlMarkdown.translate(html),
  striptags: (html) => striptags(html),
  "string-strip-html": (html) => stripHtml(html).result,
};
for (const [name, read] of Object.entries(readers))
  console.log(`${name}: ${["10<sup>6</sup> cycles", "5<sup>1</sup>/<sub>2</sub> inches"].map(read).join("; ")}`);
JS
seen=$(node run.js)
echo "turndown@7.2.5 html-to-text@10.0.1 node-html-markdown@2.0.0 striptags@3.2.0 string-strip-html@13.7.6"
echo "seen: $seen"
[ "$seen" = 'turndown: 106 cycles; 51/2 inches
html-to-text: 106 cycles; 51/2 inches
node-html-markdown: 106 cycles; 51/2 inches
striptags: 106 cycles; 51/2 inches
string-strip-html: 106 cycles; 51/2 inches' ]
