#!/usr/bin/env bash
# Perl's YAML::Tiny reads a list of products whose last field is empty, "sale:" with nothing behind it, as one product: the next one becomes the value of that field, with all that follow in turn. Psych, Ruby's YAML, writes nil in that way, and
# YAML::XS reads each product. One would guess that of Tiny, too, or an error: the "-" of the next product stands further left than the field, and the reader says that it refuses what it does not know.
# A catalog of three is one whose sale is a list; nobody sees an error. js-yaml's "sale: null" is the text "null" for it, so a product without a sale has one. Read with YAML::XS or YAML::PP; put a field that is never empty last.
# Version: YAML::Tiny 1.73, psych 4.0.3 (Debian's packages libyaml-tiny-perl, libyaml-libyaml-perl and ruby).
set -euo pipefail
perl -MYAML::Tiny -MYAML::XS -e 1 2> /dev/null && command -v ruby > /dev/null || { echo "needs Debian's packages libyaml-tiny-perl, libyaml-libyaml-perl and ruby"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
ruby -ryaml -e 'products = [{ "slug" => "mug", "sale" => nil }, { "slug" => "kit", "sale" => nil }, { "slug" => "cup", "sale" => 5 }]
  File.write("last.yaml", products.to_yaml)
  File.write("first.yaml", products.map { |product| product.to_a.reverse.to_h }.to_yaml)'
printf -- '- slug: mug\n  sale: null\n' > null.yaml
cat > read.pl <<'PL'
use strict;
use warnings;
use JSON::PP;
use YAML::Tiny ();
use YAML::XS ();

my $json = JSON::PP->new->canonical;
for my $file ("last", "first", "null") {
  my $text = do { local $/; open my $handle, "<", "$file.yaml" or die; <$handle> };
  print "$file: Tiny ", $json->encode(YAML::Tiny::Load($text)), "\n$file: XS ", $json->encode(YAML::XS::Load($text)), "\n";
}
PL
seen=$(perl read.pl)
echo "YAML::Tiny $(perl -MYAML::Tiny -e 'print YAML::Tiny->VERSION'), psych $(ruby -ryaml -e 'print Psych::VERSION')"
echo "seen: $seen"
[ "$seen" = 'last: Tiny [{"sale":[{"sale":[{"sale":"5","slug":"cup"}],"slug":"kit"}],"slug":"mug"}]
last: XS [{"sale":null,"slug":"mug"},{"sale":null,"slug":"kit"},{"sale":5,"slug":"cup"}]
first: Tiny [{"sale":null,"slug":"mug"},{"sale":null,"slug":"kit"},{"sale":"5","slug":"cup"}]
first: XS [{"sale":null,"slug":"mug"},{"sale":null,"slug":"kit"},{"sale":5,"slug":"cup"}]
null: Tiny [{"sale":"null","slug":"mug"}]
null: XS [{"sale":null,"slug":"mug"}]' ]
