#!/usr/bin/env bash
# Pint, Python's usual library for quantities, reads a shop's sizes without an error: "5 pcs" is five parsecs, "300 dpi" 300 dry pints, "1 1/2 in" half an inch, and 5' 10" the plain number
# 50. One would guess 1.5 inches and an error for what it does not know, as it gives for "2 dozen" and "5 g/m2": it takes every blank for a multiplication and finds a unit in nearly every short word.
# A column of sizes that "was all read" holds such values; a filter by unit or a sort by length goes by them.
# Version: Pint 0.19.2 (Debian's package python3-pint).
set -euo pipefail
/usr/bin/python3 -c 'import pint' 2> /dev/null || { echo "needs Debian's package python3-pint"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/sizes.py" << 'END'
import pint
units = pint.UnitRegistry()
for size in ("3/4 in", "1 1/2 in", "5 pcs", "300 dpi", "5' 10\"", "2 dozen"):
    try:
        print(size, "is", units(size))
    except pint.UndefinedUnitError as error:
        print(size, "is not read")
END
seen="$(/usr/bin/python3 "$dir/sizes.py")"
echo "Pint $(/usr/bin/python3 -c 'import pint; print(pint.__version__)')"
echo "seen: $seen"
[ "$seen" = "3/4 in is 0.75 inch
1 1/2 in is 0.5 inch
5 pcs is 5 parsec
300 dpi is 300 dry_pint
5' 10\" is 50
2 dozen is not read" ]
