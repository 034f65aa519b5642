#!/usr/bin/env bash
# Python's voluptuous takes Number(precision=6, scale=2) as exactly six digits: "1990.00" is valid, "19.90", "0.00" and "19900.00" are refused with "Precision must be equal to 6". In SQL, DECIMAL(6, 2) is up to six digits,
# and 19.90 fits. One would guess the same for the same two words.
# A check of a price list copied from the columns of a database passes the prices from 1,000 to 9,999.99 and no other; the test with one of them is green.
# Version: voluptuous 0.12.2 with Python 3.11 (Debian's package python3-voluptuous).
set -euo pipefail
/usr/bin/python3 -c 'import voluptuous' 2> /dev/null || { echo "needs Debian's package python3-voluptuous"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
from voluptuous import Invalid, Number, Schema
for price in ("1990.00", "19.90", "0.00", "19900.00"):
    try:
        print(price, "valid", Schema(Number(precision=6, scale=2))(price))
    except Invalid as error:
        print(price, error)
PY
seen=$(/usr/bin/python3 "$dir/run.py")
echo "voluptuous $(dpkg-query -W -f '${Version}' python3-voluptuous), $(/usr/bin/python3 --version)"
echo "seen: $seen"
[ "$seen" = '1990.00 valid 1990.00
19.90 Precision must be equal to 6
0.00 Precision must be equal to 6
19900.00 Precision must be equal to 6' ]
