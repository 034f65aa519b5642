#!/usr/bin/env bash
# Python's parsedatetime reads "2026-01-02T03:04:05Z" as 20:26 of today, and says that it has found a time (status 2): the year is taken for a clock of four digits. With a space instead of the T it is the right
# moment. For the year 1999 it finds nothing. One would guess the moment, as it reads a day of the same form, or that it says nothing was found.
# A script that reads the updated_at of an API by this module shows every product of the year 2026 as changed today at 20:26; all moments of a year are the same one.
# Version: parsedatetime 2.6 with Python 3.11 (Debian's package python3-parsedatetime).
set -euo pipefail
/usr/bin/python3 -c 'import parsedatetime' 2> /dev/null || { echo "needs Debian's package python3-parsedatetime"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
import datetime, parsedatetime
today = datetime.datetime(2026, 6, 1, 12, 0)
for text in ("2026-01-02", "2026-01-02 03:04:05", "2026-01-02T03:04:05Z", "2026-12-24T10:00:00Z", "1999-05-06T03:04:05Z"):
    moment, status = parsedatetime.Calendar().parseDT(text, sourceTime=today)
    print(f"{text}: {moment}, {status}")
PY
seen=$(/usr/bin/python3 "$dir/run.py")
echo "parsedatetime $(dpkg-query -W -f '${Version}' python3-parsedatetime), $(/usr/bin/python3 --version)"
echo "seen: $seen"
[ "$seen" = '2026-01-02: 2026-01-02 12:00:00, 1
2026-01-02 03:04:05: 2026-01-02 03:04:05, 3
2026-01-02T03:04:05Z: 2026-06-01 20:26:00, 2
2026-12-24T10:00:00Z: 2026-06-01 20:26:00, 2
1999-05-06T03:04:05Z: 2026-06-01 12:00:00, 0' ]
