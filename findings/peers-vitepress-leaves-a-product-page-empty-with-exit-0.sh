#!/usr/bin/env bash
# VitePress takes the text that paths() gives as "content" for a Vue template: a description that says "Put {{ product.title }} into the page" makes an
# error in the log, an empty page and the exit code 0, and "Save {{ price }} EUR" loses its price. One would guess that data is shown as text and that an error
# while rendering ends the build. A shop for themes or software publishes blank pages, and the deploy is green.
# Version: vitepress 1.6.4, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps vitepress@1.6.4
mkdir -p site/products; echo "# Shop" > site/index.md; echo "<!-- @content -->" > 'site/products/[slug].md'
cat > 'site/products/[slug].paths.js' <<'JS'
const products = { mug: "A mug.", theme: "Put {{ product.title }} into the page.", sale: "Save {{ price }} EUR." };
export default { paths: () => Object.entries(products).map(([slug, content]) => ({ params: { slug }, content })) };
JS
code=0; node_modules/.bin/vitepress build site > log 2>&1 || code=$?
text() { grep -o '<main.*</main>' "site/.vitepress/dist/products/$1.html" | sed 's/<[^>]*>//g'; }
seen="exit code $code; mug: $(text mug); theme: $(text theme); sale: $(text sale)"
echo "vitepress@1.6.4"
echo "seen: $seen"
grep -q "TypeError" log
[ "$seen" = 'exit code 0; mug: A mug.; theme: ; sale: Save  EUR.' ]
