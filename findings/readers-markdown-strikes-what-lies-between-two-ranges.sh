#!/usr/bin/env bash
# marked and remark-gfm strike out what lies between two single tildes: "S~XL, ships in 3~5 days" is "S", then "XL, ships in 3" struck out, then "5 days". A good engineer
# guesses that only ~~two~~ do so; markdown-it, showdown and commonmark leave the text alone. The tilde is the usual sign of a range in
# Japan, Korea and China.
# A description in Markdown then has no "~", but sizes and times that are crossed out, in one reader of a catalog and not in the next.
# Version: marked 18.2.1, remark 15.0.1 with remark-gfm 4.0.1 and remark-html 16.0.1, markdown-it 15.0.3.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund marked@18.2.1 remark@15.0.1 remark-gfm@4.0.1 remark-html@16.0.1 markdown-it@15.0.3
cat > run.js <<'JS'
import MarkdownIt from "markdown-it";
import { marked } from "marked";
import { remark } from "remark";
import gfm from "remark-gfm";
import html from "remark-html";

const text = "S~XL, ships in 3~5 days";
console.log("marked:", marked.parse(text).trim());
console.log("remark-gfm:", String(remark().use(gfm).use(html).processSync(text)).trim());
console.log("markdown-it:", new MarkdownIt().render(text).trim());
JS
seen=$(node run.js)
echo "marked $(node -p 'require("./node_modules/marked/package.json").version'), remark-gfm $(node -p 'require("./node_modules/remark-gfm/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'marked: <p>S<del>XL, ships in 3</del>5 days</p>
remark-gfm: <p>S<del>XL, ships in 3</del>5 days</p>
markdown-it: <p>S~XL, ships in 3~5 days</p>' ]
