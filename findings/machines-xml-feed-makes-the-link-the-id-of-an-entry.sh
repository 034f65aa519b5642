#!/usr/bin/env bash
# Perl's XML::Feed, asked to convert an Atom feed into RSS or to splice one into it, does not write the entry's id as the guid: the guid is the link, with isPermaLink="true". The way back, from RSS to Atom, makes an id of it.
# One would guess <guid isPermaLink="false">tag:shop.example,2026:product/1</guid>, for the id is known (the entry's id says it) and RSS has this place for it. The time of an entry with <updated> only is no pubDate, either.
# An id is there so that a product is the same after its slug changed: behind such a converter, a planet for example, a renamed product is a new one, and readers show it again.
# Version: XML::Feed 0.63 (Debian's package libxml-feed-perl).
set -euo pipefail
perl -MXML::Feed -e 1 2> /dev/null || { echo "needs Debian's package libxml-feed-perl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/convert.pl" <<'PL'
use strict;
use warnings;
use XML::Feed;

for my $slug ("mug", "blue-mug") {
  my $atom = qq{<feed xmlns="http://www.w3.org/2005/Atom"><title>Shop</title><id>https://shop.example/</id><updated>2026-01-02T03:04:05Z</updated>
    <link href="https://shop.example/"/><entry><title>Mug</title><id>tag:shop.example,2026:product/1</id><link href="https://shop.example/$slug"/>
    <updated>2026-01-02T03:04:05Z</updated><summary>A mug</summary></entry></feed>};
  my $feed = XML::Feed->parse(\$atom);
  print "read: ", ($feed->entries)[0]->id, "\n";
  my $rss = $feed->convert("RSS")->as_xml;
  print "RSS: ", $rss =~ /(<guid.*<\/guid>)/, $rss =~ /<item>.*<pubDate>/s ? ", a time" : ", no time", "\n";
  print "Atom again: ", (XML::Feed->parse(\$rss)->convert("Atom")->entries)[0]->id, "\n";
}
PL
seen=$(perl "$dir/convert.pl")
dpkg-query -W -f '${Package} ${Version}\n' libxml-feed-perl
echo "seen: $seen"
[ "$seen" = 'read: tag:shop.example,2026:product/1
RSS: <guid isPermaLink="true">https://shop.example/mug</guid>, no time
Atom again: https://shop.example/mug
read: tag:shop.example,2026:product/1
RSS: <guid isPermaLink="true">https://shop.example/blue-mug</guid>, no time
Atom again: https://shop.example/blue-mug' ]
