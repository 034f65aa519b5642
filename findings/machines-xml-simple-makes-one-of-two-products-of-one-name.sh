#!/usr/bin/env bash
# Perl's XML::Simple makes of two products with <name>Mug</name> one entry, {"Mug": the second}; with <title> in place of <name> both are in a list. Elements with a child called name, key or id become the keys of a map, and a later one
# replaces an earlier one, without a warning unless warnings are on. One would guess a list: that repeated elements are a list is its own rule, and two products may have one name.
# A script that reads a feed of products loses all but one of each name, and one that went through a list breaks when the feed's fields are renamed; KeyAttr => [] keeps them all.
# Version: XML::Simple 2.25 (Debian's package libxml-simple-perl 2.25-2), perl 5.36.
set -euo pipefail
perl -MXML::Simple -e 1 2> /dev/null || { echo "needs Debian's package libxml-simple-perl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.pl" <<'PERL'
use XML::Simple;
use JSON::PP;
my $json = JSON::PP->new->canonical;
for my $tag ("title", "name") {
  my $products = "<product><sku>1</sku><$tag>Mug</$tag></product><product><sku>2</sku><$tag>Mug</$tag></product>";
  print "$tag: ", $json->encode(XMLin("<products>$products</products>")), "\n";
  print "$tag, KeyAttr => []: ", scalar @{ XMLin("<products>$products</products>", KeyAttr => [])->{product} }, " products\n";
}
PERL
seen=$(perl "$dir/run.pl" 2>&1)
echo "XML::Simple $(perl -MXML::Simple -e 'print $XML::Simple::VERSION')"
echo "seen: $seen"
[ "$seen" = 'title: {"product":[{"sku":"1","title":"Mug"},{"sku":"2","title":"Mug"}]}
title, KeyAttr => []: 2 products
name: {"product":{"Mug":{"sku":"2"}}}
name, KeyAttr => []: 2 products' ]
