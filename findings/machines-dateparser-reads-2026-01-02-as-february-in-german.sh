#!/usr/bin/env bash
# Python's dateparser reads "2026-01-02T10:00:00Z" as 1 February 2026, 10:00 UTC, when it is told that the language is German, French or Spanish, or English of Great Britain; 2026-01-13T10:00:00Z is then no time at all, None. Without a language both are right.
# One would guess that an ISO time is the same in every language: it has its year in front and a T and Z. The order of days and months of the language is used for the two numbers behind the year, too.
# A reader of a catalog that names the language to understand "2. Januar" swaps day and month of every published_at until the twelfth of each month, and has no published_at after it. Give DATE_ORDER "YMD" for such fields, or read them with datetime.fromisoformat.
# Version: dateparser 1.1.6 with Python 3.11 (Debian's package python3-dateparser).
set -euo pipefail
/usr/bin/python3 -c 'import dateparser' 2> /dev/null || { echo "needs Debian's package python3-dateparser"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
import dateparser

for languages in (None, ["en"], ["de"], ["fr"], ["es"]):
    times = [dateparser.parse(text, languages=languages) for text in ("2026-01-02T10:00:00Z", "2026-01-13T10:00:00Z")]
    print(*(time and time.strftime("%d.%m.") for time in times), end="; ")
print(dateparser.parse("2026-01-02", locales=["en-GB"]).strftime("%d.%m."))
PY
seen=$(/usr/bin/python3 -W ignore "$dir/run.py")
echo "dateparser $(dpkg-query -W -f '${Version}' python3-dateparser), $(/usr/bin/python3 --version)"
echo "seen: $seen"
[ "$seen" = '02.01. 13.01.; 02.01. 13.01.; 01.02. None; 01.02. None; 01.02. None; 01.02.' ]
