#!/usr/bin/env bash
# Django's Atom1Feed gives the items https://shop.example/p?id=1 and /p?id=2 of one day the same <id>, tag:shop.example,2026-06-01:/p/: it makes the id of the day and the path, and leaves the query out. The same item on another pubdate has another id.
# One would guess an id for each link, and that a changed date leaves an id: Atom asks for one that never changes. unique_id=… for each item is right.
# A feed reader shows one of all products that a shop tells apart by their query, and a product that is published again twice.
# Version: Django 3.2 with Python 3.11 (Debian's package python3-django).
set -euo pipefail
/usr/bin/python3 -c 'import django' 2> /dev/null || { echo "needs Debian's package python3-django"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
import re
from datetime import datetime, timezone

from django.conf import settings
from django.utils.feedgenerator import Atom1Feed

settings.configure()
feed = Atom1Feed(title="Shop", link="https://shop.example/", description="Mugs")
for query, day in (("id=1", 1), ("id=2", 1), ("id=1", 2)):
    feed.add_item(title="Mug", link=f"https://shop.example/p?{query}", description="", pubdate=datetime(2026, 6, day, tzinfo=timezone.utc))
print(*re.findall("<id>(tag:.*?)</id>", feed.writeString("utf-8")))
PY
seen=$(/usr/bin/python3 "$dir/run.py")
echo "Django $(dpkg-query -W -f '${Version}' python3-django), $(/usr/bin/python3 --version)"
echo "seen: $seen"
[ "$seen" = 'tag:shop.example,2026-06-01:/p/ tag:shop.example,2026-06-01:/p/ tag:shop.example,2026-06-02:/p/' ]
