#!/usr/bin/env bash
# Hexo gives a post with slug: blue-mug the address of its file, mug, and page.slug is "mug", too; "source" and "raw" are replaced in the same way, without a word. A field "content: 3 pieces" is not: it is shown in place of the
# post's text, which is nowhere then. One would guess that the slug of the front matter is the address, as in Jekyll, Hugo and Pelican, and that the text below the front matter wins over a field.
# An exporter that writes the records of a catalog, which have slugs, as front matter gets other addresses than the shop, and one field of that name (of a bundle, a box) costs the description.
# Version: hexo 8.1.2, hexo-renderer-ejs 2.0.0, hexo-renderer-marked 7.0.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"name":"site","version":"0.0.0","hexo":{"version":""},"dependencies":{}}' > package.json
npm install --silent --no-audit --no-fund hexo@8.1.2 hexo-renderer-ejs@2.0.0 hexo-renderer-marked@7.0.1
mkdir -p source/_posts themes/plain/layout
printf 'title: Shop\nurl: https://shop.example\npermalink: product/:title/\ntheme: plain\n' > _config.yml
echo '<%- [page.slug, page.source, page.raw.length > 20, page.vendor, page.content.trim()].join(", ") %>' > themes/plain/layout/post.ejs
front='title: Mug\nslug: blue-mug\nsource: import\nraw: clay\nvendor: Potter'
printf -- "---\n$front\n---\nA mug of clay.\n" > source/_posts/mug.md
printf -- "---\n$front\ncontent: 3 pieces\n---\nA box of mugs.\n" > source/_posts/box.md
node_modules/.bin/hexo generate > log 2>&1 < /dev/null
show() { printf '%s: %s' "$1" "$(paste -sd' ' "public/product/$1/index.html")"; }
seen="$(cd public/product; echo *); $(show mug); $(show box); warnings: $(grep -ciE 'warn|error' log || true)"
echo "hexo@8.1.2"
echo "seen: $seen"
[ "$seen" = 'box mug; mug: mug, _posts/mug.md, true, Potter, <p>A mug of clay.</p>; box: box, _posts/box.md, true, Potter, 3 pieces; warnings: 0' ]
