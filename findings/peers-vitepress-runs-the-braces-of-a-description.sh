#!/usr/bin/env bash
# The content that a VitePress dynamic route gives for a page is a Vue template, not text: {{ 6 * 7 }} in a product's description is 42 on the page, the same in a parameter stays text.
# Two products with one slug make one page without a word, and it is the first product's. One would guess that data from a shop is text in both places, and that equal
# addresses stop the build. Descriptions of themes and templates, which have such braces, lose them.
# Version: vitepress 1.6.4.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund vitepress@1.6.4
mkdir p
cat > "p/[slug].md" <<'MD'
<main>{{ $params.title }}</main>

<!-- @content -->
MD
cat > "p/[slug].paths.js" <<'JS'
const product = (slug, title) => ({ params: { slug, title: `${title} {{ 6 * 7 }}` }, content: `<p>${title} has {{ 6 * 7 }}</p>` });
export default { paths: () => [product("mug", "First"), product("mug", "Second")] };
JS
echo 'Home' > index.md
node node_modules/vitepress/bin/vitepress.js build . > log 2>&1 || { tail -5 log; exit 1; }
seen=$(cd .vitepress/dist; ls p; grep -o '\(First\|Second\)[^<]*' p/mug.html | sort -u)
echo "vitepress@1.6.4"
echo "seen: $seen"
[ "$seen" = 'mug.html
First has 42
First {{ 6 * 7 }}' ]
