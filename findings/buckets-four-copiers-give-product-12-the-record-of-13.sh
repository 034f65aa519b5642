#!/usr/bin/env bash
# A new build copied over the old one by `cp -r`, `rsync -a --inplace`, `rclone sync` or Python's shutil.copytree ends with exit 0, and one product's
# file has the record of another: they write into the file that lies there, and through hard links into its other names as well. One would guess
# that after a copy each file has the bytes of its source. rsync's manual warns of --inplace; the others say nothing.
# Builders of catalogs link product/id=12.json and product/slug=mug.json (so does Vitrine), and cp -a, tar and rsync -H keep the links at the first
# deploy. Once the slug "mug" goes to product 13, product 12 is sold for the price of 13, and the next `rsync -a` or `rclone sync` leaves
# it so, since time and size are equal. `rsync -a`, `cp -a`, tar and Node's fs.cp gave the right files: they put a new file in place of the old one, or link again.
# Version: coreutils 9.1, rclone 1.60.1 (Debian 12), Python 3.11, rsync 3.5. rclone's pages say that 1.63 and newer write a second file.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
unset AWS_CA_BUNDLE
mkdir -p old/product new/product
record() { printf '{"id":%s,"price":%s}' "$1" "$2"; }
record 12 18.90 > old/product/id=12.json; ln old/product/id=12.json old/product/slug=mug.json
record 13 99.00 > old/product/id=13.json; ln old/product/id=13.json old/product/slug=vase.json
# In the next build product 12 is called cup, and 13 is called mug.
record 12 17.90 > new/product/id=12.json; ln new/product/id=12.json new/product/slug=cup.json
record 13 98.00 > new/product/id=13.json; ln new/product/id=13.json new/product/slug=mug.json
touch -d 2026-01-01 old/product/*; touch -d 2026-02-01 new/product/*
seen=
copied() { # NAME COMMAND…
  rm -rf live; cp -a old live
  "${@:2}" > said 2>&1 && code=$? || code=$?
  local wrong=0 file
  for file in new/product/*; do
    cmp -s "$file" "live/product/${file##*/}" && continue
    wrong=$((wrong + 1))
    echo "$1: ${file##*/} is $(cat "live/product/${file##*/}") and not $(cat "$file")"
  done
  seen+="$1 $code $wrong; "
}
copied 'cp -r' cp -r new/. live/
copied 'rsync --inplace' rsync -a --inplace new/ live/
copied 'rclone sync' rclone --config /dev/null --transfers 1 sync new live
copied copytree python3 -c 'import shutil; shutil.copytree("new", "live", dirs_exist_ok=True)'
copied 'rsync -a' rsync -a new/ live/
copied 'cp -a' cp -a new/. live/
copied tar sh -c 'tar -C new -cf - . | tar -C live -xf -'
copied 'fs.cp' node -e 'require("node:fs").cpSync("new", "live", { recursive: true })'
cp --version | sed -n 1p; rsync --version | sed -n 1p; rclone version | sed -n 1p; python3 --version
echo "seen (exit code, wrong files): $seen"
[ "$seen" = 'cp -r 0 1; rsync --inplace 0 1; rclone sync 0 1; copytree 0 1; rsync -a 0 0; cp -a 0 0; tar 0 0; fs.cp 0 0; ' ]
