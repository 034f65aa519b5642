#!/usr/bin/env bash
# po2json of the Translate Toolkit, which puts translations into a JSON file, changes what was not to be translated: null becomes the text "None", and a key whose value is an empty list or object is gone. false and 0 stay.
# One would guess that all but the texts is copied from the template.
# The German copy of a record has the sale price "None", which is true in every if, and no images to loop over, where the original has null and [].
# Version: Translate Toolkit 3.8.4 (Debian's package translate-toolkit).
set -euo pipefail
command -v po2json > /dev/null || { echo "needs Debian's package translate-toolkit"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"title":"Mug","sale_price":null,"images":[],"meta":{},"featured":false,"stock":0}' > en.json
cat > de.po <<'PO'
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"

#: .title
msgid "Mug"
msgstr "Becher"
PO
po2json --progress=none -t en.json de.po de.json 2> log
seen=$(tr -d '\n ' < de.json)
po2json --version
echo "seen: $seen"
[ "$seen" = '{"title":"Becher","sale_price":"None","featured":false,"stock":0}' ]
