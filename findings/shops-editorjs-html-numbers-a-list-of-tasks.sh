#!/usr/bin/env bash
# editorjs-html makes of a checklist of Editor.js, "1 m cable" that is in the box and "batteries" that are not, the numbered list 1. 1 m cable, 2. batteries: what is checked is gone. And steps that start at 4 start at 1. One would
# guess boxes, bullets, or the warning that it gives for a table ("Parser function for table does not exist"), since it knows the list's other styles and its nesting.
# A shop stores the JSON of such an editor, and a catalog needs HTML: a page then says that the batteries are the second thing in the box.
# Version: editorjs-html@4.0.5, seen on Node 24, with the data that @editorjs/list 2 saves.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" editorjs-html@4.0.5
cat > "$dir/lists.mjs" << 'END'
import editorjsHtml from "editorjs-html";
const parser = (editorjsHtml.default ?? editorjsHtml)();
const item = (content, meta = {}) => ({ content, meta, items: [] });
const lists = [
  { style: "checklist", meta: {}, items: [item("1 m cable", { checked: true }), item("batteries", { checked: false })] },
  { style: "ordered", meta: { start: 4, counterType: "numeric" }, items: [item("Switch on")] },
];
for (const data of lists) console.log(parser.parse({ blocks: [{ type: "list", data }] }));
END
seen="$(node "$dir/lists.mjs")"
echo "editorjs-html $(node -p "JSON.parse(fs.readFileSync('$dir/node_modules/editorjs-html/package.json')).version"), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = '<ol><li>1 m cable</li><li>batteries</li></ol>
<ol><li>Switch on</li></ol>' ]
