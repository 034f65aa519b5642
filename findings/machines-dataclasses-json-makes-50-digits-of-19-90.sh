#!/usr/bin/env bash
# Python's dataclasses-json reads {"price": 19.90} into a field of type Decimal as 19.89999999999999857891452847979962825775146484375, and the time "2026-06-01T10:00:00Z" into a datetime not at all: it wants, and writes, a number of seconds. null for title: str is None with a
# warning only.
# One would guess Decimal("19.90") or Decimal("19.9"): the class asks for decimals, and a float's own text is 19.9. It writes a Decimal as a text, so its own round trip is right, by which one tests it.
# Sums, comparisons and unique keys of prices are other ones than those of a shop, price == Decimal("19.90") is false, and a column NUMERIC(10,2) takes it silently.
# Version: dataclasses-json 0.5.7 with Python 3.11 (Debian's package python3-dataclasses-json).
set -euo pipefail
/usr/bin/python3 -c 'import dataclasses_json' 2> /dev/null || { echo "needs Debian's package python3-dataclasses-json"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal
from typing import Optional

from dataclasses_json import dataclass_json


@dataclass_json
@dataclass
class Product:
    price: Optional[Decimal] = None
    since: Optional[datetime] = None


print(Product.from_json('{"price": 19.90}').price, end="; ")
print(Product(Decimal("19.90"), datetime(2026, 6, 1, 10, tzinfo=timezone.utc)).to_json(), end="; ")
try:
    print(Product.from_json('{"since": "2026-06-01T10:00:00Z"}').since)
except TypeError as error:
    print(error)
PY
seen=$(/usr/bin/python3 "$dir/run.py")
echo "dataclasses-json $(dpkg-query -W -f '${Version}' python3-dataclasses-json), $(/usr/bin/python3 --version)"
echo "seen: $seen"
[ "$seen" = "19.89999999999999857891452847979962825775146484375; {\"price\": \"19.90\", \"since\": 1780308000.0}; 'str' object cannot be interpreted as an integer" ]
