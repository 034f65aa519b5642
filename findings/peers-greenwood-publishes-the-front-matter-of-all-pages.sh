#!/usr/bin/env bash
# Greenwood writes graph.json into the public folder of every build, also when its "content as data" is off: each page with all of its front matter (or all of its source's data), what no template shows included, and the paths
# of the machine that built it. One would guess that front matter is what the layouts make of it, and that the graph, which a page in the browser may ask for when active content is on, is written then only.
# A catalog whose pages say costMinor, a supplier or a note to colleagues publishes these at /graph.json, and how the folders of the build machine are named.
# What to do: delete public/graph.json (and resources.json, which has paths too) after the build, before the upload; keep what is private out of front matter.
# Version: @greenwood/cli 0.32.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @greenwood/cli@0.32.0
mkdir -p src/pages; echo '# Shop' > src/pages/index.md
printf -- '---\ntitle: Cup\ncostMinor: 210\n---\n\nA cup.\n' > src/pages/cup.md
echo 'export default { activeContent: false };' > greenwood.config.js
npx greenwood build > log.txt 2>&1 || { cat log.txt; exit 2; }
seen="page: $(grep -c costMinor public/cup/index.html || true)
$(for file in graph.json resources.json; do echo "$file: cost $(grep -c '"costMinor":210' "public/$file" || true), paths $(grep -c "$(basename "$dir")" "public/$file" || true)"; done)"
echo "@greenwood/cli $(node -p 'JSON.parse(require("node:fs").readFileSync("node_modules/@greenwood/cli/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'page: 0
graph.json: cost 1, paths 1
resources.json: cost 0, paths 1' ]
