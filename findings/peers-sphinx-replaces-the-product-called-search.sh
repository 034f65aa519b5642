#!/usr/bin/env bash
# Sphinx writes its own search page over the page of a document called "search" in the root, and its index over one called "genindex": the text is gone, the menu links to the foreign page, the exit code is 0, and there is no warning,
# not even with -W, which makes each warning an error. One would guess a warning, as Sphinx has for a document in no menu. "404" is kept, and "modindex" as long as no module is documented.
# A shop for software that exports a document for each category or product loses the one called "search" to an empty form.
# Version: Sphinx 5.3.0 with docutils 0.19 (Debian's package python3-sphinx).
set -euo pipefail
command -v sphinx-build > /dev/null || { echo "needs Debian's package python3-sphinx"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo 'project = "Shop"' > conf.py
document() { printf '%s\n%s\n\nProducts of %s.\n' "$1" "${1//?/=}" "$1"; }
for name in search genindex modindex 404 mugs; do document "$name" > "$name.rst"; done
printf 'Shop\n====\n\n.. toctree::\n\n   search\n   genindex\n   modindex\n   404\n   mugs\n' > index.rst
code=0; sphinx-build -q -W -b html . out > log 2>&1 || code=$?
seen="exit code $code, $(wc -c < log) letters of warnings; has its text:"
for name in search genindex modindex 404 mugs; do grep -q "Products of $name" "out/$name.html" && seen="$seen $name"; done
sphinx-build --version
echo "seen: $seen"
[ "$seen" = 'exit code 0, 0 letters of warnings; has its text: modindex 404 mugs' ]
