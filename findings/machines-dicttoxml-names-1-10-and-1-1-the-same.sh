#!/usr/bin/env bash
# Python's dicttoxml writes the key "1.10" as the element <n1.1>, the same as the key "1.1": a key that Python can read as a number with decimals is named by that number, not by its own text. "2026.10" gives <n2026.1> and "1e3"
# <n1000.0>; "10" and "00123" stay as they are behind the n, and "1.10.0" becomes <key name="1.10.0">. One would guess the key's text in one of these two forms.
# Release notes kept by version, or downloads by their number, have two elements of one name in XML: a reader gets a list, or the last of them.
# Version: dicttoxml 1.7.15 with Python 3.11 (Debian's package python3-dicttoxml).
set -euo pipefail
/usr/bin/python3 -c 'import dicttoxml' 2> /dev/null || { echo "needs Debian's package python3-dicttoxml"; exit 1; }
seen=$(/usr/bin/python3 -c '
from dicttoxml import dicttoxml
notes = {"1.1": "a", "1.10": "b", "2026.10": "c", "1e3": "d", "10": "e", "00123": "f", "1.10.0": "g"}
print(dicttoxml(notes, attr_type=False, root=False).decode())')
echo "dicttoxml $(dpkg-query -W -f '${Version}' python3-dicttoxml), $(/usr/bin/python3 --version)"
echo "seen: $seen"
[ "$seen" = '<n1.1>a</n1.1><n1.1>b</n1.1><n2026.1>c</n2026.1><n1000.0>d</n1000.0><n10>e</n10><n00123>f</n00123><key name="1.10.0">g</key>' ]
