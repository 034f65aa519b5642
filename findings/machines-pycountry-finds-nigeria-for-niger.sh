#!/usr/bin/env bash
# Python's pycountry answers search_fuzzy("Niger") with Nigeria first and Niger second, and "Martinique" with France first; for "Guinea", "Dominica", "Congo" and "Sudan" the country of the very name is first. One would guess
# the exact name first, always, as the list is sorted by how well each country fits. lookup("Niger") finds Niger.
# A part of a country with that name (Nigeria has a state Niger) counts almost as much as a country, and parts of the country's own name on top. The country of origin or of delivery that a feed writes in words becomes another one.
# Version: pycountry 22.3.5 with Python 3.11 (Debian's package python3-pycountry).
set -euo pipefail
/usr/bin/python3 -c 'import pycountry' 2> /dev/null || { echo "needs Debian's package python3-pycountry"; exit 1; }
seen=$(/usr/bin/python3 -c '
import pycountry
for name in ("Guinea", "Dominica", "Congo", "Sudan", "Niger", "Martinique"):
    print(name + ":", ", ".join(country.name for country in pycountry.countries.search_fuzzy(name)[:2]))
print("lookup:", pycountry.countries.lookup("Niger").name)')
echo "pycountry $(dpkg-query -W -f '${Version}' python3-pycountry), $(/usr/bin/python3 --version)"
echo "seen: $seen"
[ "$seen" = 'Guinea: Guinea, Guinea-Bissau
Dominica: Dominica, Dominican Republic
Congo: Congo, Congo, The Democratic Republic of the
Sudan: Sudan, South Sudan
Niger: Nigeria, Niger
Martinique: France, Martinique
lookup: Niger' ]
