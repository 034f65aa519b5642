#!/usr/bin/env bash
# Hexo with timezone: Europe/Berlin takes 2026-01-02T03:04:05Z in a post's date for Berlin's time, in quotes too: the Z is dropped and the moment is 02:04:05Z. Any other
# field with the same text is right. One would guess that a time with a zone is that moment. An exporter that writes a catalog's times in UTC gets all of its
# pages an hour or two early, and a sale_from that is right beside a wrong date.
# Version: hexo 8.1.2, hexo-renderer-ejs 2.0.0, hexo-renderer-marked 7.0.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"name":"site","version":"0.0.0","hexo":{"version":""},"dependencies":{}}' > package.json
npm install --silent --no-audit --no-fund hexo@8.1.2 hexo-renderer-ejs@2.0.0 hexo-renderer-marked@7.0.1
mkdir -p source/_posts themes/bare/layout
printf 'url: https://shop.example\npermalink: :title.json\ntimezone: Europe/Berlin\ntheme: bare\n' > _config.yml
time=2026-01-02T03:04:05Z
printf -- '---\ndate: %s\nsale_from: %s\n---\n' $time $time > source/_posts/bare.md
printf -- '---\ndate: "%s"\nsale_from: "%s"\n---\n' $time $time > source/_posts/quoted.md
echo '<%- page.slug %> <%- page.date.toISOString() %> <%- new Date(page.sale_from).toISOString() %>' > themes/bare/layout/post.ejs
node node_modules/hexo/bin/hexo generate --silent
seen=$(cat public/bare.json public/quoted.json)
echo "hexo@8.1.2"
echo "seen: $seen"
[ "$seen" = 'bare 2026-01-02T02:04:05.000Z 2026-01-02T03:04:05.000Z
quoted 2026-01-02T02:04:05.000Z 2026-01-02T03:04:05.000Z' ]
