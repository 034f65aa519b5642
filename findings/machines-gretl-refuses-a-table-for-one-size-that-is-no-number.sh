#!/usr/bin/env bash
# gretl, a program for statistics, opens no table of ten products whose sizes are 36 to 44 and "L": "observation 10, expected numeric value", and no column is read. With four such sizes of ten it reads all sizes as texts, and opens the table. One would guess that a column with one text is one
# of texts, as in R, pandas or PSPP, or that the value is missing.
# A table of a catalog opens for years, and no longer once the first product has such a size, version or SKU.
# Version: gretl 2022c (Debian's package gretl).
set -euo pipefail
command -v gretlcli > /dev/null || { echo "needs Debian's package gretl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
export HOME="$dir"
cd "$dir"
# table NUMBERS TEXTS: ten products' sizes and prices
table() {
  echo "slug,size,price"
  for ((n = 0; n < $1; n++)); do echo "boot-$n,$((36 + n)),19.90"; done
  for ((n = 0; n < $2; n++)); do echo "shirt-$n,L,19.90"; done
}
mean() {
  table "$1" "$2" > products.csv
  printf 'open products.csv --quiet\nprintf "mean %%g\\n", mean(price)\n' > run.inp
  gretlcli -b run.inp 2>&1 | grep -E '^mean|ERROR' | sed 's/.*observation/observation/' || true
}
seen="none $(mean 10 0), one $(mean 9 1), four $(mean 6 4)"
gretlcli --version | head -n 1
echo "seen: $seen"
[ "$seen" = "none mean 19.9, one observation 10, expected numeric value, four mean 19.9" ]
