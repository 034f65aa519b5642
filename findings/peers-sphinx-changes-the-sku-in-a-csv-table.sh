#!/usr/bin/env bash
# Sphinx sets type in the cells of a CSV table, too: the SKU A--B is shown as A–B, C---D as C—D, the option --dark as –dark and the range 10...20 as 10…20. A cell "A. Smith" becomes a
# list whose one point is "Smith". One would guess that a table that is read from a file is data, shown as it is, as literalinclude does.
# Who copies the number from such a page finds nothing in the shop. smartquotes = False keeps hyphens and dots, but not the author's "A.".
# Version: Sphinx 5.3.0 with docutils 0.19 (Debian's package python3-sphinx).
set -euo pipefail
command -v sphinx-build > /dev/null || { echo "needs Debian's package python3-sphinx"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo 'project = "Shop"' > conf.py
printf 'sku,author,note\nA--B,Ann Smith,10...20\nC---D,A. Smith,--dark\n' > products.csv
printf 'Shop\n====\n\n.. csv-table::\n   :file: products.csv\n   :header-rows: 1\n' > index.rst
cells() { sphinx-build -q -E -W -b html "$@" . out; python3 - <<'PY'
import re
body = re.search(r"<tbody>(.*)</tbody>", open("out/index.html", encoding="utf-8").read(), re.S)[1]
print(" ".join("|".join(re.sub(r"<[^>]*>|\s*\n\s*", "", cell) for cell in re.findall(r"<td>(.*?)</td>", row, re.S)) for row in re.findall(r"<tr.*?</tr>", body, re.S)))
PY
}
seen="$(cells); without smartquotes: $(cells -D smartquotes=0)"
sphinx-build --version
echo "seen: $seen"
[ "$seen" = 'A–B|Ann Smith|10…20 C—D|Smith|–dark; without smartquotes: A--B|Ann Smith|10...20 C---D|Smith|--dark' ]
