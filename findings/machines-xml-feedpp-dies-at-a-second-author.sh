#!/usr/bin/env bash
# Perl's XML::FeedPP dies with "Not a HASH reference" when the author of an Atom entry that has two authors is asked for; with one author it gives the name, with none nothing. One would guess the first name, or both: Atom allows
# several, and two categories of the same entry come as a list.
# A planet or importer of feeds by this module stops at the first product or post that two people made, not at parsing but in the middle of the loop, and all entries behind it are lost.
# Version: XML::FeedPP 0.95 (Debian's package libxml-feedpp-perl 0.95-1), perl 5.36.
set -euo pipefail
perl -MXML::FeedPP -e 1 2> /dev/null || { echo "needs Debian's package libxml-feedpp-perl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.pl" <<'PERL'
use XML::FeedPP;
sub author { "<author><name>$_[0]</name></author>" }
sub entry { "<entry><title>Mug</title><id>tag:shop.example,2026:1</id><updated>2026-01-02T03:04:05Z</updated>$_[0]</entry>" }
for my $inside ("", author("Ada"), author("Ada") . author("Bob"), '<category term="a"/><category term="b"/>') {
  my $feed = XML::FeedPP->new('<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Shop</title>' . entry($inside) . "</feed>", -type => "string");
  my ($item) = $feed->get_item;
  my $author = eval { $item->author // "none" } // substr($@, 0, 20);
  my $category = $item->category // "none";
  print "author: $author, category: ", (ref $category ? "@$category" : $category), "\n";
}
PERL
seen=$(perl "$dir/run.pl")
echo "XML::FeedPP $(perl -MXML::FeedPP -e 'print $XML::FeedPP::VERSION')"
echo "seen: $seen"
[ "$seen" = 'author: none, category: none
author: Ada, category: none
author: Not a HASH reference, category: none
author: none, category: a b' ]
