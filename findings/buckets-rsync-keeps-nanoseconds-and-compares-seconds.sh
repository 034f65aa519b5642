#!/usr/bin/env bash
# rsync -a gives a copy the nanoseconds of its source, so one would guess that it also compares them. It compares whole seconds (--modify-window=-1
# compares all): a file that was rewritten with as many bytes in the second of its last copy is never copied, by no later run either.
# Prices have as many digits as before, and two builds fit into a second: the mirror of a folder of answers then keeps the old price for ever.
# Version: rsync 3.5.0 (Debian's package rsync 3.5.0+ds1).
set -euo pipefail
command -v rsync > /dev/null || { echo "needs Debian's package rsync"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
mkdir "$dir/shop" "$dir/mirror"
price() { printf '{"price":%s}' "$1" > "$dir/shop/product.json"; touch -d "2026-01-01T00:00:00.$2Z" "$dir/shop/product.json"; }
price 19.90 100000000; rsync -a "$dir/shop/" "$dir/mirror/"
copied=$(stat -c %y "$dir/mirror/product.json")
price 18.90 900000000; for _ in 1 2 3; do rsync -a "$dir/shop/" "$dir/mirror/"; done
plain=$(cat "$dir/mirror/product.json")
rsync -a --modify-window=-1 "$dir/shop/" "$dir/mirror/"; exact=$(cat "$dir/mirror/product.json")
rsync --version | sed -n 1p
echo "seen: the copy's time is $copied; after three more runs it holds $plain, with --modify-window=-1 $exact"
[[ $copied == *.100000000* && $plain == '{"price":19.90}' && $exact == '{"price":18.90}' ]]
