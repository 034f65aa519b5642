#!/usr/bin/env bash
# Python's cattrs structures {"title": null} into a class with title: str as the text "None", {"tags": "sale"} with tags: list[str] as ['s', 'a', 'l', 'e'], {"featured": "false"} with featured: bool as True, and {"stock": 19.9} with stock: int as 19.
# One would guess an error: that a value has its class's type is what one takes such a library for. It calls str(), list(), bool() and int() of whatever it is given.
# A product without a title is called None in every list and search, and what is written back has the word in place of null. Say Optional[str] for each field that may be null: that is right.
# Version: cattrs 22.2.0 with Python 3.11 (Debian's package python3-cattr).
set -euo pipefail
/usr/bin/python3 -c 'import cattr' 2> /dev/null || { echo "needs Debian's package python3-cattr"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
from typing import List, Optional

import attr
import cattr


@attr.s(auto_attribs=True)
class Product:
    title: str = ""
    tags: List[str] = []
    featured: bool = False
    stock: int = 0
    brand: Optional[str] = ""


for record in ({"title": None}, {"tags": "sale"}, {"featured": "false"}, {"stock": 19.9}, {"brand": None}):
    (field,) = record
    print(repr(getattr(cattr.structure(record, Product), field)), end="; ")
PY
seen=$(/usr/bin/python3 "$dir/run.py")
echo "cattrs $(dpkg-query -W -f '${Version}' python3-cattr), $(/usr/bin/python3 --version)"
echo "seen: $seen"
[ "$seen" = "'None'; ['s', 'a', 'l', 'e']; True; 19; None; " ]
