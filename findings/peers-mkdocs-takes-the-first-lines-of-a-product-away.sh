#!/usr/bin/env bash
# MkDocs: a page that begins "Weight: 1 kg", "Colour: red" loses these lines. Without any "---", first lines of the form "word: text" are metadata, up to the first empty line, and are neither shown nor found by the search. They stay if there are two
# words before the first colon, or an empty line or a heading before all. Exit code 0 and nothing said, even with --strict. One would guess that metadata needs its fences, as in other generators.
# Product pages that an exporter writes begin with such lines, and the page of a product with only these is empty.
# Version: MkDocs 1.4.2 with Python 3.11 (Debian's package mkdocs).
set -euo pipefail
command -v mkdocs > /dev/null || { echo "needs Debian's package mkdocs"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
mkdir "$dir/docs"
printf 'site_name: Shop\nsite_url: https://shop.example/\nplugins: [search]\n' > "$dir/mkdocs.yml"
echo '# Shop' > "$dir/docs/index.md"
printf 'Weight: 1 kg\nColour: red\n\nA cup.\n' > "$dir/docs/a.md"
printf '\nWeight: 1 kg\nColour: red\n\nA cup.\n' > "$dir/docs/b.md"
printf 'Net weight: 1 kg\nColour: red\n\nA cup.\n' > "$dir/docs/c.md"
printf '# Cup\n\nWeight: 1 kg\nColour: red\n\nA cup.\n' > "$dir/docs/d.md"
code=0; (cd "$dir" && mkdocs build --quiet --strict -d site > log 2>&1) || code=$?
seen="exit $code: $(cat "$dir/log")
$(for page in a b c d; do echo "$page: $(sed -n '/role="main"/,/<\/div>/p' "$dir/site/$page/index.html" | sed 's/<[^>]*>//g' | tr -s ' \n' ' ')"; done)
search: $(grep -o '"location":"a/"[^}]*' "$dir/site/search/search_index.json")"
echo "$(mkdocs --version)"
echo "seen: $seen"
[ "$seen" = 'exit 0: 
a:  A cup. 
b:  Weight: 1 kg Colour: red A cup. 
c:  Net weight: 1 kg Colour: red A cup. 
d:  Cup Weight: 1 kg Colour: red A cup. 
search: "location":"a/","text":"A cup.","title":"A"' ]
