#!/usr/bin/env bash
# PyRSS2Gen writes the pubDate of a datetime of 10:00 with the offset +02:00 as "Mon, 01 Jun 2026 10:00:00 GMT", two hours after the moment it means. One would guess 08:00:00 GMT, or 10:00:00 +0200 as Python's own email.utils.format_datetime writes it:
# the datetime says its zone. Its documentation asks for times in UTC, and does not refuse others.
# In a feed of a shop that keeps times with their zone, offers and posts are published in the future, and feed readers hide them or list them before newer ones; in the winter by another hour than in the summer.
# Version: PyRSS2Gen 1.1 with Python 3.11 (Debian's package python3-pyrss2gen).
set -euo pipefail
/usr/bin/python3 -c 'import PyRSS2Gen' 2> /dev/null || { echo "needs Debian's package python3-pyrss2gen"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
import re
from datetime import datetime, timedelta, timezone

import PyRSS2Gen

for zone in (timezone.utc, timezone(timedelta(hours=2))):
    item = PyRSS2Gen.RSSItem(title="Mug", link="https://shop.example/mug", pubDate=datetime(2026, 6, 1, 10, tzinfo=zone))
    feed = PyRSS2Gen.RSS2("Shop", "https://shop.example/", "Mugs", items=[item]).to_xml()
    print(re.search("<pubDate>(.*)</pubDate>", feed)[1], end="; ")
PY
seen=$(/usr/bin/python3 "$dir/run.py")
echo "PyRSS2Gen $(dpkg-query -W -f '${Version}' python3-pyrss2gen), $(/usr/bin/python3 --version)"
echo "seen: $seen"
[ "$seen" = 'Mon, 01 Jun 2026 10:00:00 GMT; Mon, 01 Jun 2026 10:00:00 GMT; ' ]
