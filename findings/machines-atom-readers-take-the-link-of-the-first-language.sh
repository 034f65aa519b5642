#!/usr/bin/env bash
# sfeed and Perl's XML::Feed take the first alternate link of an Atom entry, also one with another hreflang than the feed's language, and both ignore xml:base: XML::Feed gives the
# bare relative address, sfeed joins it to the address on its command line. feedparser and newsboat do both right. One would guess the link of the feed's language and
# whole addresses from all. A catalog feed that names translations first sends readers of such programs to another language, or nowhere.
# Version: Debian's sfeed 1.7, libxml-feed-perl 0.63, python3-feedparser 6.0.10.
set -euo pipefail
for needed in sfeed perl; do command -v $needed > /dev/null || { echo "needs Debian's package $needed"; exit 1; }; done
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > feed.xml <<'XML'
<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en" xml:base="https://shop.example/en/"><title>Shop</title><id>urn:shop</id><updated>2026-01-02T03:04:05Z</updated>
<entry><title>Mug</title><id>urn:1</id><updated>2026-01-02T03:04:05Z</updated><link rel="alternate" hreflang="de" href="../de/mug"/><link rel="alternate" hreflang="en" href="mug"/></entry></feed>
XML
seen="sfeed $(sfeed https://feeds.example/x/ < feed.xml | cut -f3)
XML::Feed $(perl -MXML::Feed -e 'print((XML::Feed->parse("feed.xml")->entries)[0]->link)')
feedparser $(/usr/bin/python3 -c 'import feedparser; print(feedparser.parse("feed.xml").entries[0].link)')"
echo "$(dpkg-query -W sfeed libxml-feed-perl python3-feedparser | tr '\t\n' '= ')"
echo "seen: $seen"
[ "$seen" = 'sfeed https://feeds.example/x/../de/mug
XML::Feed ../de/mug
feedparser https://shop.example/en/mug' ]
