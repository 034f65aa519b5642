#!/usr/bin/env bash
# An Atom entry with a picture and a file as enclosures before the link to its page: parseFeed of htmlparser2 gives the picture as the entry's link,
# rss-parser has no enclosure at all, and Perl's XML::Feed one, the last. Of RSS, rss-parser keeps the first enclosure and XML::Feed the last. One would
# guess the page as link and a list of enclosures. Who reads a catalog's feed opens a picture instead of the product, and sees one of its files.
# Version: htmlparser2 12.0.0, rss-parser 3.13.0, seen on Node 24; Debian's libxml-feed-perl 0.63.
set -euo pipefail
perl -MXML::Feed -e 1 2> /dev/null || { echo "XML::Feed is missing: apt-get install libxml-feed-perl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund htmlparser2@12.0.0 rss-parser@3.13.0
cat > feed.atom <<'XML'
<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:shop</id><title>Shop</title><updated>2026-11-28T10:00:00Z</updated>
<entry><id>urn:mug</id><title>Mug</title><updated>2026-11-28T10:00:00Z</updated>
<link rel="enclosure" type="image/jpeg" href="https://shop.example/mug.jpg"/><link rel="enclosure" type="application/pdf" href="https://shop.example/mug.pdf"/>
<link rel="alternate" href="https://shop.example/mug"/></entry></feed>
XML
cat > feed.rss <<'XML'
<rss version="2.0"><channel><title>Shop</title><link>https://shop.example/</link><description>Mugs</description>
<item><title>Mug</title><link>https://shop.example/mug</link><enclosure url="https://shop.example/mug.jpg" length="1" type="image/jpeg"/>
<enclosure url="https://shop.example/mug.pdf" length="1" type="application/pdf"/></item></channel></rss>
XML
cat > run.js <<'JS'
import { readFileSync } from "node:fs";
import { parseFeed } from "htmlparser2";
import Parser from "rss-parser";

for (const file of ["feed.atom", "feed.rss"]) {
  const text = readFileSync(file, "utf8");
  const { items: [item] } = await new Parser().parseString(text);
  console.log(`${file} htmlparser2: link ${parseFeed(text).items[0].link}\n${file} rss-parser: link ${item.link}, enclosure ${item.enclosure?.url}`);
}
JS
cat > run.pl <<'PERL'
use strict;
use XML::Feed;
for my $file ("feed.atom", "feed.rss") {
  my ($entry) = XML::Feed->parse($file)->entries;
  print "$file XML::Feed: link ", $entry->link, ", enclosure ", join(" ", map { $_->url } $entry->enclosure), "\n";
}
PERL
seen=$( (node run.js; perl run.pl) | sed 's#https://shop.example##g' | sort)
echo "htmlparser2@12.0.0 rss-parser@3.13.0 XML::Feed $(perl -MXML::Feed -e 'print $XML::Feed::VERSION')"
echo "seen: $seen"
[ "$seen" = 'feed.atom XML::Feed: link /mug, enclosure /mug.pdf
feed.atom htmlparser2: link /mug.jpg
feed.atom rss-parser: link /mug, enclosure undefined
feed.rss XML::Feed: link /mug, enclosure /mug.pdf
feed.rss htmlparser2: link /mug
feed.rss rss-parser: link /mug, enclosure /mug.jpg' ]
