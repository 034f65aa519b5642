#!/usr/bin/env bash
# Asciidoctor makes a table of a CSV file by counting cells, not lines: if one line has a cell less than the header, the first cell of the next line takes its place, and so do all after it. The id 2 is the price of product 1, "Shirt" an id, and
# what is left over at the end, here product 3, is dropped, with exit code 0 and without a word, even with -v. A line with a cell too many does the same. One would guess an empty cell in that row, as pandoc has it, or an error.
# Lists made by hand, and some exports, leave the last commas out where the last columns are empty: every price below is beside another product.
# Version: Asciidoctor 2.0.18 (Debian's package asciidoctor).
set -euo pipefail
command -v asciidoctor > /dev/null || { echo "needs Debian's package asciidoctor"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cells() {
    { printf '[format=csv,options=header]\n|===\n'; cat; printf '|===\n'; } | asciidoctor -v -s -o - - 2> "$dir/said" |
        grep -oE '<t[hd] [^>]*>.*</t[hd]>|</tr>' | sed 's/<\/tr>/;/; s/<[^>]*>//g' | tr '\n' ' '
    echo "said: $(cat "$dir/said")"
}
seen="short: $(printf 'id,title,price\n1,Mug\n2,Shirt,9.90\n3,Cap,5.00\n' | cells)
long: $(printf 'id,title,price\n1,Mug,7.00,new\n2,Shirt,9.90\n3,Cap,5.00\n' | cells)"
echo "Asciidoctor $(asciidoctor --version | head -n 1 | cut -d ' ' -f 2)"
echo "seen: $seen"
[ "$seen" = 'short: id title price ; 1 Mug 2 ; Shirt 9.90 3 ; said: 
long: id title price ; 1 Mug 7.00 ; new 2 Shirt ; 9.90 3 Cap ; said: ' ]
