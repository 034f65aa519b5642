#!/usr/bin/env bash
# pandoc with a record as metadata, from a JSON or YAML file: the number 0.05 is printed by $price$ as 5.0e-2, and 12345678.5 as 1.23456785e7, while 0.5, 19.90 (as 19.9), 12345678 and even 1234567890123456789 are written plainly. One would guess
# 0.05, or the text of the file. The price per piece of small parts is such a number.
# A price list or label that a template makes of a catalog's JSON then says "EUR 5.0e-2".
# Version: pandoc 2.17.1.1 (Debian's package pandoc).
set -euo pipefail
command -v pandoc > /dev/null || { echo "needs Debian's package pandoc"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
echo '{ "a": 0.05, "b": 0.5, "c": 19.90, "d": 12345678, "e": 12345678.5, "f": 1234567890123456789, "g": "0.05" }' > "$dir/product.json"
printf 'a: 0.05\nb: 0.5\nc: 19.90\nd: 12345678\ne: 12345678.5\nf: 1234567890123456789\ng: "0.05"\n' > "$dir/product.yaml"
echo '$a$ $b$ $c$ $d$ $e$ $f$ $g$' > "$dir/template.txt"
seen=$(for file in json yaml; do echo | pandoc --metadata-file "$dir/product.$file" --template "$dir/template.txt" -t plain; done)
echo "$(pandoc --version | head -n 1)"
echo "seen: $seen"
line='5.0e-2 0.5 19.9 12345678 1.23456785e7 1234567890123456789 0.05'
[ "$seen" = "$line
$line" ]
