#!/usr/bin/env bash
# Docusaurus takes a number at the beginning of a file's name for the file's place in the menu: 50-mm-lens.md is the page /products/mm-lens, 10-x-20-frame.md is x-20-frame and 2026-calendar.md is calendar, while
# 4x20-screw, 3.5-mm-plug and 2026-11-issue keep theirs. One would guess that the name is the address. With 85-mm-lens.md beside it, the build ends with an error about two equal ids.
# An exporter that writes a file for each product, named by its slug, gets other addresses than the shop for some, and a site that was built for a year fails with the second lens. numberPrefixParser: false ends it.
# Version: @docusaurus/core and preset-classic 3.10.2 with react 19.3.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"name":"shop","version":"0.0.0","private":true}' > package.json
npm install --silent --no-audit --no-fund @docusaurus/core@3.10.2 @docusaurus/preset-classic@3.10.2 react@19.3.1 react-dom@19.3.1
cat > docusaurus.config.js <<'JS'
module.exports = {
  title: "Shop",
  url: "https://shop.example",
  baseUrl: "/",
  onBrokenLinks: "ignore",
  presets: [["classic", { docs: { routeBasePath: "products", sidebarPath: false, ...(process.env.NAMES && { numberPrefixParser: false }) }, blog: false, pages: false }]],
};
JS
mkdir docs; for slug in 50-mm-lens 10-x-20-frame 2026-calendar 4x20-screw 3.5-mm-plug 2026-11-issue; do echo "# $slug" > "docs/$slug.md"; done
build() { DOCUSAURUS_NO_TELEMETRY=1 DISABLE_VERSIONINFO=1 timeout 300 node_modules/.bin/docusaurus build > log 2>&1 < /dev/null; }
build
pages=$(cd build/products && LC_ALL=C && for name in *; do printf '%s ' "$name"; done)
echo "# 85-mm-lens" > docs/85-mm-lens.md
code=0; build || code=$?
named=$(grep -q 'mm-lens' log && echo yes)
NAMES=1 build
kept=$(cd build/products && LC_ALL=C && for name in *lens; do printf '%s ' "$name"; done)
seen="${pages}; with a second lens: exit code $code, named in the log: $named; numberPrefixParser false: $kept"
echo "@docusaurus/core $(node -p 'require("./node_modules/@docusaurus/core/package.json").version')"
echo "seen: $seen"
[ "$seen" = '2026-11-issue 3.5-mm-plug 4x20-screw calendar mm-lens x-20-frame ; with a second lens: exit code 1, named in the log: yes; numberPrefixParser false: 50-mm-lens 85-mm-lens ' ]
