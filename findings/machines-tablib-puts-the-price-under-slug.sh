#!/usr/bin/env bash
# tablib reads [{"slug":"mug","price":5},{"price":6,"slug":"cup"}] as a product with the slug 6 and the price "cup": it takes the names from the first record and from the others the values in the order in which they
# stand. One would guess that a key names its column: JSON objects have no order (RFC 8259). A record that lacks a key is an InvalidDimensions, so
# one thinks that the keys are looked at. Records of two sources, or of a language that sorts keys by chance (Go, Perl), are mixed up without a word, and imported so by django-import-export.
# Version: tablib 3.4.0 with Python 3.11 (Debian's package python3-tablib).
set -euo pipefail
/usr/bin/python3 -c 'import tablib' 2> /dev/null || { echo "needs Debian's package python3-tablib"; exit 1; }
seen=$(/usr/bin/python3 -c 'import tablib
print(tablib.Dataset().load("""[{"slug":"mug","price":5},{"price":6,"slug":"cup"}]""", format="json").export("json"))')
/usr/bin/python3 -c 'import tablib, sys; print("tablib", tablib.__version__, "Python", sys.version.split()[0])'
echo "seen: $seen"
[ "$seen" = '[{"slug": "mug", "price": 5}, {"slug": 6, "price": "cup"}]' ]
