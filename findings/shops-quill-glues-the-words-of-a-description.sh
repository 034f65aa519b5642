#!/usr/bin/env bash
# Quill's getSemanticHTML(), the HTML that its documentation offers for saving, writes every blank as &nbsp;: "Red steel mug" is Red&nbsp;steel&nbsp;mug, one word that no browser breaks. One would guess the blanks that were typed,
# as in the editor's own root.innerHTML, which in turn has bullets as <ol><li data-list="bullet">.
# A description in a catalog runs out of a phone's screen, and a search by LIKE '%steel mug%' in the shop's table does not find it.
# Version: quill@2.0.3 with jsdom@26.1.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" quill@2.0.3 jsdom@26.1.0
cat > "$dir/description.mjs" << 'END'
import { JSDOM } from "jsdom";
const { window } = new JSDOM("<div></div>", { pretendToBeVisual: true });
const names = ["document", "MutationObserver", "Node", "HTMLElement", "Element", "DOMParser", "Text", "Range", "Event"];
for (const name of names) globalThis[name] = window[name];
globalThis.window = window;
window.document.getSelection = () => null;
window.document.execCommand = () => false;
const { default: Quill } = await import("quill");
const editor = new Quill(window.document.querySelector("div"), {});
editor.setContents([{ insert: "Red steel mug" }, { insert: "\n", attributes: { list: "bullet" } }]);
console.log(editor.root.innerHTML.replace(/<span.*?<\/span>/, ""));
console.log(editor.getSemanticHTML());
END
seen="$(node "$dir/description.mjs")"
echo "quill $(node -p "require('$dir/node_modules/quill/package.json').version"), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = '<ol><li data-list="bullet">Red steel mug</li></ol>
<ul><li>Red&nbsp;steel&nbsp;mug</li></ul>' ]
