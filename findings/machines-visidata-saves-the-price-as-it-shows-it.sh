#!/usr/bin/env bash
# VisiData, asked on the command line to make CSV of JSON (vd -b in.json -o out.csv), writes what its screen would show: the price 19.999 is 20.00, the rate 0.0000001 is 0.00, a list is "[2] a; b" and a record "{1} name=Acme". To JSON it writes the numbers
# in full, and leaves out what is null. One would guess the same values in both, since the format of a column is for the eye.
# A table made of a catalog so has rounded prices of three decimals (Kuwait, units of an API), and cells that no program can take apart; the records made so lack the fields that are null.
# Version: VisiData 2.11 with Python 3.11 (Debian's package visidata).
set -euo pipefail
command -v vd > /dev/null || { echo "needs Debian's package visidata"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '[{"slug":"mug","price":19.999,"rate":0.0000001,"tags":["a","b"],"brand":{"name":"Acme"},"sale":null}]' > in.json
for to in csv json; do HOME="$dir" vd -b in.json -o "out.$to" > log 2>&1; done
seen="$(tail -n 1 out.csv | tr -d '\r') $(grep slug out.json)"
vd --version
echo "seen: $seen"
[ "$seen" = 'mug,20.00,0.00,[2] a; b,{1} name=Acme, {"slug": "mug", "price": 19.999, "rate": 1e-07, "tags": ["a", "b"], "brand": {"name": "Acme"}}' ]
