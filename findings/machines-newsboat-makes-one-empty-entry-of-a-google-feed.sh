#!/usr/bin/env bash
# Google's product feed is RSS 2.0 with g:title, g:link and g:id, so one expects a feed reader to list at least an entry a product.
# Newsboat keeps a single entry without a title for three products, sfeed three lines of tabs, feedsmith a channel without items.
# A shop that names its product feed as its news feed has subscribers who see nothing: products for people need a feed of their own.
# Version: feedsmith@3.0.1 and Debian's newsboat 2.21, sfeed 1.7, seen on Debian 12 and Node 24.
set -euo pipefail
for tool in newsboat sfeed sqlite3; do command -v $tool >/dev/null || { echo "$tool is missing: apt-get install $tool"; exit 1; }; done
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" feedsmith@3.0.1 >/dev/null
{
  echo '<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Cups</title>'
  echo '<link>https://cups.example/</link><description>All cups</description>'
  for id in 1 2 3; do
    echo "<item><g:id>$id</g:id><g:title>Cup $id</g:title><g:link>https://cups.example/$id</g:link><g:price>$id.90 EUR</g:price></item>"
  done
  echo '</channel></rss>'
} > "$dir/google.xml"
echo "file://$dir/google.xml" > "$dir/urls"
HOME=$dir newsboat -u "$dir/urls" -c "$dir/cache.db" -x reload
newsboat=$(sqlite3 "$dir/cache.db" "SELECT COUNT(*) || ' entry, title ' || json_quote(MAX(title)) FROM rss_item")
sfeed=$(sfeed < "$dir/google.xml" | tr -d '\t' | sort | uniq -c | tr -s ' ' '|')
cat > "$dir/read.mjs" <<'JS'
import { readFileSync } from "node:fs";
import { parseRssFeed } from "feedsmith";
console.log(parseRssFeed(readFileSync(process.argv[2], "utf8")).items?.length ?? "no items");
JS
feedsmith=$(node "$dir/read.mjs" "$dir/google.xml")
newsboat -v | sed -n 1p
echo "seen: newsboat: $newsboat; sfeed: lines without their tabs $sfeed; feedsmith: $feedsmith"
[ "$newsboat" = '1 entry, title ""' ] && [ "$sfeed" = "|3|" ] && [ "$feedsmith" = "no items" ]
