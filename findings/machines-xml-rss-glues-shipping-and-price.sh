#!/usr/bin/env bash
# Perl's XML::RSS reads a Google product item with two <g:shipping> of 5 and 9 and a <g:price> of 19.90 as the price 5919.90: what stands inside a nested element is appended to the item's own element of that name, and so are repeated
# ones (1.jpg2.jpg). Of several enclosures it keeps the last, of categories all. One would guess the item's own price, a list, or the last.
# A program that reads a shop's product feed offers everything at another, plausible price; without shipping in the feed it is right.
# Version: Debian's package libxml-rss-perl 1.62 (whose module says 1.59) with Perl 5.36.
set -euo pipefail
perl -MXML::RSS -e 1 2> /dev/null || { echo "needs Debian's package libxml-rss-perl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/feed.xml" <<'XML'
<?xml version="1.0"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title><link>https://shop.example/</link><description>Products</description>
<item><title>Mug</title><link>https://shop.example/mug</link><g:id>1</g:id>
<g:shipping><g:country>DE</g:country><g:price>5</g:price></g:shipping><g:shipping><g:country>US</g:country><g:price>9</g:price></g:shipping>
<g:additional_image_link>1.jpg</g:additional_image_link><g:additional_image_link>2.jpg</g:additional_image_link><g:price>19.90</g:price></item></channel></rss>
XML
seen=$(perl -MXML::RSS -e 'my $rss = XML::RSS->new; $rss->parsefile($ARGV[0]); my $own = $rss->{items}[0]{"http://base.google.com/ns/1.0"}; print join " ", map { $own->{$_} // "none" } qw(price additional_image_link country)' "$dir/feed.xml")
perl -MXML::RSS -e 'print "XML::RSS $XML::RSS::VERSION, Perl $^V\n"'
echo "seen: $seen"
[ "$seen" = "5919.90 1.jpg2.jpg DEUS" ]
