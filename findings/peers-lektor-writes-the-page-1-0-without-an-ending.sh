#!/usr/bin/env bash
# Lektor writes the page of the product "mug" to mug/index.html and that of "kit-2.0" to a file kit-2.0 beside it, and links to it without a slash: a dot in a slug means that it is the name of a file.
# One would guess that both get a folder. A server that goes by the ending, such as Python's, sends application/octet-stream, which a browser saves instead of showing it; the build says nothing.
# A catalog's products with a version or a size in their slug (v1.10, 1.5-l, 3.5-mm-plug) are downloads.
# Version: Lektor 3.3.7 (Debian's package lektor).
set -euo pipefail
command -v lektor > /dev/null || { echo "needs Debian's package lektor"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; export LC_ALL=C.UTF-8 HOME="$dir"
mkdir -p models templates content; printf '[project]\nname = Shop\n' > Shop.lektorproject
printf '[model]\nname = Page\nlabel = {{ this.title }}\n[fields.title]\ntype = string\n' > models/page.ini
echo '{{ this.title }}{% for product in this.children %} {{ product|url }}{% endfor %}' > templates/page.html
echo 'title: shop' > content/contents.lr
for slug in mug kit-2.0 cable-1.5-m; do mkdir "content/$slug"; echo "title: $slug" > "content/$slug/contents.lr"; done
lektor build --output-path out > log 2>&1
files=$(cd out; LC_ALL=C find . -type f -not -path './.lektor/*' | LC_ALL=C sort | cut -c3- | paste -sd' ')
type=$(python3 -c 'from http.server import SimpleHTTPRequestHandler as handler; print(handler.guess_type(handler, "kit-2.0"))')
links=$(tr ' ' '\n' < out/index.html | grep '[/.]' | LC_ALL=C sort | paste -sd' ')
seen="$files; links: $links; kit-2.0 is $type"
lektor --version 2> /dev/null | tail -1
echo "seen: $seen"
[ "$seen" = 'cable-1.5-m index.html kit-2.0 mug/index.html; links: cable-1.5-m kit-2.0 mug/; kit-2.0 is application/octet-stream' ]
