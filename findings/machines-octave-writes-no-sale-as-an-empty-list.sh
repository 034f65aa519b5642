#!/usr/bin/env bash
# Octave reads {"sale": null} and writes {"sale": []}, and {"ratings": [null]} as {"ratings": null}: the two have changed places. A list of one number or of one record is that number or record
# afterwards, a list of one text stays a list; the keys "USB-C" and "USB_C" are one. One would guess null for null, and that a list is a list.
# What is counted from a catalog's answers and written back has another type in every product that has no sale or one variant only.
# Version: Octave 7.3.0 (Debian's package octave).
set -euo pipefail
command -v octave-cli > /dev/null || { echo "needs Debian's package octave"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
echo '{"sale":null,"ratings":[null],"weights":[5],"variants":[{"id":1}],"sizes":["M"],"cells":[[1,2],[3]],"USB-C":1,"USB_C":2}' > "$dir/in.json"
seen=$(octave-cli -qf --eval "disp(jsonencode(jsondecode(fileread('$dir/in.json'))))" 2> /dev/null)
octave-cli -qf --eval 'disp(["Octave " version])'
echo "seen: $seen"
[ "$seen" = '{"sale":[],"ratings":null,"weights":5,"variants":{"id":1},"sizes":["M"],"cells":[[1,2],3],"USB_C":2}' ]
