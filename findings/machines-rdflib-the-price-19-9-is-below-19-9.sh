#!/usr/bin/env bash
# rdflib reads the JSON-LD price 19.90 as a double, and in its SPARQL a plain 19.9 is a decimal: FILTER(?price = 19.9) finds nothing, ?price < 19.9 finds the product that costs 19.9, and ?price >= 19.9 does not.
# One would guess what SPARQL says, that the decimal is made a double first: of the same filter, 20 finds 20.00, and 1.99e1 finds 19.90.
# Whoever asks a graph of catalogs "at most this price" or "exactly this price" gets answers that depend on how the fraction lies between binary digits; prices as text cast to xsd:decimal do not.
# Version: rdflib 6.1.1 with Python 3.11 (Debian's package python3-rdflib).
set -euo pipefail
/usr/bin/python3 -c 'import rdflib' 2> /dev/null || { echo "needs Debian's package python3-rdflib"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
import json
from rdflib import Graph

products = [{"@context": {"@vocab": "https://schema.org/"}, "@id": f"https://shop.example/{price}", "price": price} for price in (19.90, 5.10, 20.00)]
graph = Graph().parse(data=json.dumps(products), format="json-ld")
for test in ("= 19.9", "< 19.9", ">= 19.9", "= 20", "= 1.99e1"):
    found = graph.query(f"SELECT ?price {{ ?s <https://schema.org/price> ?price FILTER(?price {test}) }}")
    print(f"{test}: {' '.join(sorted(str(row.price) for row in found))};", end=" ")
PY
seen=$(/usr/bin/python3 "$dir/run.py")
/usr/bin/python3 -c 'import rdflib, sys; print("rdflib", rdflib.__version__, "Python", sys.version.split()[0])'
echo "seen: $seen"
[ "$seen" = '= 19.9: ; < 19.9: 19.9 5.1; >= 19.9: 20.0; = 20: 20.0; = 1.99e1: 19.9; ' ]
