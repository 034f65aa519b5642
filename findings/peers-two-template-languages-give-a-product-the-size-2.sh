#!/usr/bin/env bash
# Perl's Template Toolkit and Ruby's Liquid print {{ product.size }} as 2 for a product without a size: the number of its fields. A product that has one shows it. Both have size as a method of lists, and of a record only
# if it lacks the key; so Liquid's product.first is its first field. One would guess nothing, as for product.color.
# A page or feed writes <g:size>2</g:size> for every product whose size is not known, and "if product.size" holds for all of them.
# Version: Template Toolkit 2.27 and Liquid 5.4.0 (Debian's packages libtemplate-perl and ruby-liquid).
set -euo pipefail
perl -MTemplate -e 1 2> /dev/null && ruby -rliquid -e 1 2> /dev/null || { echo "needs Debian's packages libtemplate-perl and ruby-liquid"; exit 1; }
seen="toolkit: $(perl -MTemplate -e '
my $out = "";
Template->new->process(\"size [% a.size %], color [% a.color %]; size [% b.size %]", { a => { title => "Mug", price => 5 }, b => { title => "Shirt", size => "L" } }, \$out);
print $out')
liquid: $(ruby -rliquid -e '
template = Liquid::Template.parse("size {{ a.size }}, color {{ a.color }}, first {{ a.first }}; size {{ b.size }}")
puts template.render("a" => { "title" => "Mug", "price" => 5 }, "b" => { "title" => "Shirt", "size" => "L" })')"
echo "Template Toolkit $(perl -MTemplate -e 'print $Template::VERSION'), Liquid $(ruby -rliquid -e 'print Liquid::VERSION')"
echo "seen: $seen"
[ "$seen" = 'toolkit: size 2, color ; size L
liquid: size 2, color , first titleMug; size L' ]
