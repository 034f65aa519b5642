#!/usr/bin/env bash
# DOMPurify removes an id that is also a property of document or of a form: the headings "Images", "Links", "Plugins" and "Method" of a description lose the
# ids that a Markdown renderer gave them, "Details" and "Size" keep theirs. One would guess that an attribute is allowed or is not, whatever
# its value. Some links of a table of contents, other ones in each description, lead nowhere; SANITIZE_NAMED_PROPS renames all of them instead.
# Version: dompurify 3.5.0 with jsdom 26.1.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund dompurify@3.5.0 jsdom@26.1.0
cat > run.js <<'JS'
import createDOMPurify from "dompurify";
import { JSDOM } from "jsdom";

const purify = createDOMPurify(new JSDOM("").window);
const words = ["images", "links", "plugins", "method", "title", "details", "size", "material"];
const keeps = (id) => purify.sanitize(`<h2 id="${id}">x</h2>`).includes("id=");
console.log(`kept: ${words.filter(keeps).join()}; dropped: ${words.filter((id) => !keeps(id)).join()}`);
JS
seen=$(node run.js)
echo "dompurify@3.5.0 jsdom@26.1.0"
echo "seen: $seen"
[ "$seen" = 'kept: details,size,material; dropped: images,links,plugins,method,title' ]
