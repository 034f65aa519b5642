#!/usr/bin/env bash
# csv::split of Tcl's standard library reads the line "mug","","19.90" as mug, one quotation mark, 19.90: an empty cell in quotes is the character ". Everywhere else in a line it reads doubled quotes as others do.
# One would guess an empty cell, as RFC 4180, spreadsheets and every other reader have it. The option -alternate reads it so; the usual form, csv::split $line, does not.
# Many writers put every cell into quotes. Each product without a brand or a sale price then has the brand " and the sale price ", while a table that leaves empty cells bare is read right.
# Version: tcllib 1.21 (csv 0.8.1) with Tcl 8.6 (Debian's packages tcllib and tcl).
set -euo pipefail
command -v tclsh > /dev/null && [ "$(echo 'puts [catch {package require csv}]' | tclsh)" = 0 ] || { echo "needs Debian's packages tcllib and tcl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.tcl" <<'TCL'
package require csv
foreach line {{mug,,19.90} {"mug","","19.90"} {"Mug ""XL""","",5}} {
  puts -nonewline "[join [csv::split $line] |] [join [csv::split -alternate $line] |]; "
}
TCL
seen=$(tclsh "$dir/run.tcl")
echo "csv $(echo 'puts [package require csv]' | tclsh) of tcllib $(dpkg-query -W -f '${Version}' tcllib)"
echo "seen: $seen"
[ "$seen" = 'mug||19.90 mug||19.90; mug|"|19.90 mug||19.90; Mug "XL"|"|5 Mug "XL"||5; ' ]
