#!/usr/bin/env bash
# Python's icalendar writes the categories "Mugs, cups" and "Sale" as RFC 5545 has it, CATEGORIES:Mugs\, cups,Sale, and reads its own line as three: "Mugs", " cups" and "Sale". It takes the backslash away before it cuts at the commas;
# a SUMMARY with the same escape is read right. One would guess that it reads what it has written.
# A calendar of a shop's sales and releases loses a category whose name has a comma, and a program that reads and writes it makes this last for everybody behind it.
# Version: icalendar 4.0.3 with Python 3.11 (Debian's package python3-icalendar).
set -euo pipefail
/usr/bin/python3 -c 'import icalendar' 2> /dev/null || { echo "needs Debian's package python3-icalendar"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
from icalendar import Event
event = Event()
event.add("summary", "Mugs, cups")
event.add("categories", ["Mugs, cups", "Sale"])
text = event.to_ical().decode()
again = Event.from_ical(text)
print(next(line for line in text.splitlines() if line.startswith("CAT")))
print(str(again["summary"]), [str(category) for category in again["categories"].cats])
print(next(line for line in again.to_ical().decode().splitlines() if line.startswith("CAT")))
PY
seen=$(/usr/bin/python3 "$dir/run.py")
echo "icalendar $(dpkg-query -W -f '${Version}' python3-icalendar), $(/usr/bin/python3 --version)"
echo "seen: $seen"
[ "$seen" = "CATEGORIES:Mugs\\, cups,Sale
Mugs, cups ['Mugs', ' cups', 'Sale']
CATEGORIES:Mugs, cups,Sale" ]
