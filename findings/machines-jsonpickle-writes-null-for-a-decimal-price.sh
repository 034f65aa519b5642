#!/usr/bin/env bash
# jsonpickle.encode({"price": Decimal("19.90"), "stock": 5}, unpicklable=False), the form for other programs' readers, gives {"price": null, "stock": 5} in Python. One would guess 19.9 or "19.90": a date and a datetime become texts in the same call. json.dumps raises an error for a
# Decimal, simplejson writes the number.
# Decimal is the type of a price in Django, SQLAlchemy and every database driver: each product is exported without a price, and the exporter has said nothing. use_decimal=True with the simplejson backend writes the number.
# Version: jsonpickle 3.0.0, simplejson 3.18.3 with Python 3.11 (Debian's packages python3-jsonpickle and python3-simplejson).
set -euo pipefail
/usr/bin/python3 -c 'import jsonpickle, simplejson' 2> /dev/null || { echo "needs Debian's packages python3-jsonpickle and python3-simplejson"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
import datetime
from decimal import Decimal

import jsonpickle
import simplejson

product = {"price": Decimal("19.90"), "stock": 5, "since": datetime.date(2026, 1, 2)}
print(jsonpickle.encode(product, unpicklable=False), simplejson.dumps(product["price"]), end=" ")
jsonpickle.set_preferred_backend("simplejson")
jsonpickle.set_encoder_options("simplejson", use_decimal=True)
print(jsonpickle.encode(product, unpicklable=False, use_decimal=True))
PY
seen=$(/usr/bin/python3 "$dir/run.py")
echo "jsonpickle $(dpkg-query -W -f '${Version}' python3-jsonpickle), $(/usr/bin/python3 --version)"
echo "seen: $seen"
[ "$seen" = '{"price": null, "stock": 5, "since": "2026-01-02"} 19.90 {"price": 19.90, "stock": 5, "since": "2026-01-02"}' ]
