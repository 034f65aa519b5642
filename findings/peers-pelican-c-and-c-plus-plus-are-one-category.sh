#!/usr/bin/env bash
# Pelican puts the products of the categories C, C++ and C# on one page, under the name of the one that was read first, and lists that name alone among the categories, with the exit code 0 and no warning: two categories are the same if their
# slugs are. So it is with tags, "1.10" and "110". One would guess what it does for two pages of one slug: "is to be overwritten", and the build stops.
# A catalog whose exporter writes the shop's categories has one with strangers in it, and another that nobody finds, after any build that reads the files in another order.
# Version: Pelican 4.8.0 with Python 3.11 (Debian's package pelican).
set -euo pipefail
command -v pelican > /dev/null || { echo "needs Debian's package pelican"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
mkdir "$dir/content"
for product in "a:C" "b:C++" "c:C#" "d:Rust"; do printf 'Title: Book %s\nDate: 2026-01-02\nCategory: %s\n\nText\n' "${product%%:*}" "${product#*:}" > "$dir/content/${product%%:*}.md"; done
printf 'SITENAME = "Shop"\nSITEURL = "https://shop.example"\nTIMEZONE = "UTC"\nPATH = "content"\n' > "$dir/pelicanconf.py"
code=0; (cd "$dir" && pelican content -o out -s pelicanconf.py > log 2>&1) || code=$?
pages=$(cd "$dir/out/category" && echo *.html)
listed=$(grep -oE '\([0-9]+\)</li>' "$dir/out/categories.html" | grep -oE '[0-9]+' | tr '\n' ' ')
seen="exit $code; $(grep -ciE 'error|critical|overwritten' "$dir/log" || true) errors; $pages; products: $listed"
echo "Pelican $(pelican --version)"
echo "seen: $seen"
[ "$seen" = "exit 0; 0 errors; c.html rust.html; products: 3 1 " ]
