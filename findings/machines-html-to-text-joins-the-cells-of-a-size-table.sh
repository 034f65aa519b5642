#!/usr/bin/env bash
# html-to-text, made to make readable text of HTML with line breaks and links, writes the cells of a table and the terms of a definition list without a space between
# them: Size 38, Chest 96 is Size38Chest96. One would guess a space or a line (there is a table format, but one must ask for it by selector).
# Descriptions of a catalog have size tables: search indexes and meta descriptions that are made so have one long word of them.
# Version: html-to-text 10.0.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund html-to-text@10.0.1
cat > run.js <<'JS'
import { convert } from "html-to-text";

console.log(convert("<table><tr><th>Size</th><th>Chest</th></tr><tr><td>38</td><td>96</td></tr></table>"));
console.log(convert("<dl><dt>Size</dt><dd>38</dd><dt>Chest</dt><dd>96</dd></dl>"));
JS
seen=$(node run.js)
echo "html-to-text@10.0.1"
echo "seen: $seen"
[ "$seen" = 'SizeChest3896
Size38Chest96' ]
