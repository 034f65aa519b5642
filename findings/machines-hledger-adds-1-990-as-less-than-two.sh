#!/usr/bin/env bash
# hledger reads a shop's sales from CSV, and in one column takes "1,990.50" for one thousand nine hundred and ninety and a half, and "1,990" for 1.990: each amount is judged alone, and a mark that stands once is the decimal one. One would guess that a
# column has one convention, or that three digits behind a comma, in a currency with two decimals, are thousands.
# The totals of a shop's export are too low by every round price above 999, with no message; "decimal-mark ." in the rules file ends it.
# Version: hledger 1.25 (Debian's package hledger).
set -euo pipefail
command -v hledger > /dev/null || { echo "needs Debian's package hledger"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
printf '2026-01-02,sofa,"1,990.50"\n2026-01-03,table,"1,990"\n' > "$dir/sales.csv"
printf 'fields date,description,amount\ncurrency EUR\naccount1 assets:shop\n' > "$dir/rules"
{ cat "$dir/rules"; echo 'decimal-mark .'; } > "$dir/marked"
seen=$(for rules in rules marked; do hledger -f "$dir/sales.csv" --rules-file "$dir/$rules" balance assets -N | awk '{ print $1 }'; done | tr '\n' ' ')
hledger --version
echo "seen: $seen"
[ "$seen" = 'EUR1,992.490 EUR3,980.50 ' ]
