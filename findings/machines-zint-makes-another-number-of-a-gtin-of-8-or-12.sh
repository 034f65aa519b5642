#!/usr/bin/env bash
# zint's type EANX takes a GTIN of 13 digits with its check digit as it is. One of 8 or 12 digits, an EAN-8 or a UPC-A with its check digit, it takes for a number without one: it appends another check digit, and the label carries the GTIN of another product, with exit 0.
# One would guess that a type for all EAN numbers that recognises the check digit of 13 digits recognises it in 8 and 12, too. EANX_CHK does.
# Whoever prints labels from a catalog's gtin field has right ones for most products and wrong ones for imported and small ones; all scan without an error.
# Version: zint 2.11.1 (Debian's package zint).
set -euo pipefail
command -v zint > /dev/null || { echo "needs Debian's package zint"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
printed() { zint --barcode="$1" --data="$2" --output="$dir/label.svg"; python3 -c 'import re, sys; print("".join(re.findall(r">\s*(\d+)\s*</text>", open(sys.argv[1]).read())))' "$dir/label.svg"; }
seen=$(for gtin in 4006381333931 036000291452 96385074; do echo "$gtin: $(printed EANX $gtin), EANX_CHK $(printed EANX_CHK $gtin)"; done)
zint --help | head -n 1
echo "seen: $seen"
[ "$seen" = '4006381333931: 4006381333931, EANX_CHK 4006381333931
036000291452: 0360002914522, EANX_CHK 0036000291452
96385074: 0000963850742, EANX_CHK 96385074' ]
