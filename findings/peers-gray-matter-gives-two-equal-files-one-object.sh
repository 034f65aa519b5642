#!/usr/bin/env bash
# gray-matter, which reads the front matter for many site generators, keeps each text it has read: a second file with the same text gets the very same data object, with all that was added to it since.
# One would guess a new object for each call. A generator that writes the path or the language of a page into its data gives two products of equal text, in two languages or
# two folders, the path of one; with any options given, even {}, nothing is kept and it does not happen.
# Version: gray-matter 4.0.3, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund gray-matter@4.0.3
cat > run.js <<'JS'
const matter = require("gray-matter");

const text = "---\ntitle: Gift card\n---\nAny amount.\n";
for (const options of [undefined, {}]) {
  const pages = ["/de/gift-card", "/en/gift-card"].map((path) => Object.assign(matter(text, options).data, { path }));
  console.log(pages.map((page) => page.path).join(" "));
}
JS
seen=$(node run.js)
echo "gray-matter $(node -p 'require("gray-matter/package.json").version')"
echo "seen: $seen"
[ "$seen" = '/en/gift-card /en/gift-card
/de/gift-card /en/gift-card' ]
