#!/usr/bin/env bash
# Raptor, which makes RDF of feeds, names an Atom entry by its id if the only link is the one with rel="alternate", and by the link with rel="self" as soon as there is one, before or behind the other. And content:encoded is the
# summary, though the entry has a content. One would guess one name in all three: the id, which Atom has for it, or the page; and the content.
# A feed of products that starts to say where the JSON of each entry is gives all products new names: what a graph knew about them by their ids no longer meets them, and the text is the short one.
# Version: rapper 2.0.15 (Debian's package raptor2-utils).
set -euo pipefail
command -v rapper > /dev/null || { echo "needs Debian's package raptor2-utils"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
self='<link rel="self" href="https://shop.example/v1/mug.json"/>'; page='<link rel="alternate" href="https://shop.example/mug"/>'
triples() {
  echo "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Shop</title><id>https://shop.example/</id><updated>2026-01-02T03:04:05Z</updated><link href=\"https://shop.example/\"/>
    <entry><id>tag:shop.example,2026:1</id><title>Mug</title>$1<updated>2026-01-02T03:04:05Z</updated><summary>Short</summary><content>Long</content></entry></feed>" > "$dir/feed.xml"
  rapper -q -i rss-tag-soup -o ntriples "$dir/feed.xml" | sed -nE 's/^(.*) <http:\/\/purl.org\/rss\/1.0\/title> "Mug" .*/Mug is \1/p; s/.*content\/encoded> (.*) \./content:encoded is \1/p'
}
seen=$(echo "page only"; triples "$page"; echo "self first"; triples "$self$page"; echo "page first"; triples "$page$self")
dpkg-query -W -f '${Package} ${Version}\n' raptor2-utils
echo "seen: $seen"
[ "$seen" = 'page only
Mug is <tag:shop.example,2026:1>
content:encoded is "Short"
self first
Mug is <https://shop.example/v1/mug.json>
content:encoded is "Short"
page first
Mug is <https://shop.example/v1/mug.json>
content:encoded is "Short"' ]
