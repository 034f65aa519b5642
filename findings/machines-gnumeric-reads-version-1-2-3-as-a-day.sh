#!/usr/bin/env bash
# ssconvert of Gnumeric, asked to write one CSV file as another, makes the version 1.2.3 the day 2003/01/02 and 1.10.2 the day 2002/01/10, but keeps 1.40.2; May 5 becomes 5 May of this year, "5-" becomes -5,
# and 'Til Dawn loses its apostrophe. One would guess that sizes such as 3/4 are in danger, as in all spreadsheets, and not a text with three numbers and two dots; LibreOffice 7.4 keeps all of these.
# In a table of releases only the versions that could be a day turn into one, so a look at the newest rows may show nothing.
# Version: Gnumeric 1.12.55 (Debian's package gnumeric).
set -euo pipefail
command -v ssconvert > /dev/null || { echo "needs Debian's package gnumeric"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
printf 'id,version\n1,1.2.3\n2,1.10.2\n3,1.40.2\n4,5-\n5,'"'"'Til Dawn\n' > releases.csv
LC_ALL=C.UTF-8 ssconvert releases.csv again.csv > log 2>&1
seen=$(tr '\n' ' ' < again.csv)
ssconvert --version 2>&1 | head -1
echo "seen: $seen"
[ "$seen" = 'id,version 1,2003/01/02 2,2002/01/10 3,1.40.2 4,-5 5,"Til Dawn" ' ]
