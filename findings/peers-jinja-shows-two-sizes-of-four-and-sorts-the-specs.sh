#!/usr/bin/env bash
# Jinja's filters take upper and lower case for the same unless told otherwise: ["M", "m", "MM", "mm"]|unique has two values, and the articles AB1 and ab1 are one. groupby, since 3.1, puts the brands "Acme" and "ACME" into one group under the name
# of the first. And tojson sorts the keys of a record, so that the specifications that the shop wrote as Weight, Size, Colour come out by the alphabet. One would guess Python's own set, groupby and json.dumps, which do none of that.
# A page or a data file that is made of a catalog offers half of the choices, and lists what should come first last.
# Version: Jinja 3.1.2 with Python 3.11 (Debian's package python3-jinja2).
set -euo pipefail
/usr/bin/python3 -c 'import jinja2' 2> /dev/null || { echo "needs Debian's package python3-jinja2"; exit 1; }
seen=$(/usr/bin/python3 - <<'PY'
import jinja2
data = dict(sizes=["M", "m", "MM", "mm"], skus=["AB1", "ab1"], products=[dict(sku="a", brand="Acme"), dict(sku="b", brand="ACME")], specs={"Weight": "1 kg", "Size": "M", "Colour": "red"})
for template in ['{{ sizes|unique|join(" ") }}', '{{ skus|unique|join(" ") }}', '{% for brand, list in products|groupby("brand") %}{{ brand }}: {{ list|map(attribute="sku")|join(" ") }}{% endfor %}', '{{ specs|tojson }}',
                 '{{ sizes|unique(case_sensitive=true)|join(" ") }}']:
    print(jinja2.Environment().from_string(template).render(**data))
PY
)
echo "Jinja $(/usr/bin/python3 -c 'import jinja2; print(jinja2.__version__)')"
echo "seen: $seen"
[ "$seen" = 'M MM
AB1
Acme: a b
{"Colour": "red", "Size": "M", "Weight": "1 kg"}
M m MM mm' ]
