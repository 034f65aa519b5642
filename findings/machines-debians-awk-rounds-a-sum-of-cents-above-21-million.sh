#!/usr/bin/env bash
# awk as Debian installs it (mawk) prints the sum 2147483700 of prices in cents as its first six digits, 2.14748e+09; up to 2147483647 it prints every digit. One would guess whole numbers to 2^53, as gawk prints them and as POSIX asks for a value that is an integer.
# A report of a catalog or of its orders, sum of a column of price_minor, is right in tests and on other systems, and loses all but six digits on the day it passes 21 million; the rounded number is taken over by the next program.
# Version: mawk 1.3.4 20200120 (Debian 12's awk), gawk 5.2.1.
set -euo pipefail
command -v mawk gawk > /dev/null || { echo "needs Debian's packages mawk and gawk"; exit 1; }
lists=("2147483600 47" "2147483600 100" "9007199254740000 0")
sums() { for list in "${lists[@]}"; do tr ' ' '\n' <<< "$list" | "$1" '{ sum += $1 } END { print sum }'; done | tr '\n' ' '; }
seen="mawk $(sums mawk)/ gawk $(sums gawk)"
dpkg-query -W -f '${Package} ${Version}\n' mawk gawk
echo "seen: $seen"
[ "$seen" = 'mawk 2147483647 2.14748e+09 9.0072e+15 / gawk 2147483647 2147483700 9007199254740000 ' ]
