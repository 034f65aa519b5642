#!/usr/bin/env bash
# lynx, w3m and elinks print what stands in <template>, in a closed <dialog>, in a closed <details> and in elements with the attribute hidden, glued to what is visible. One would guess that "hidden" and "template", which need
# no style and no script to be invisible in a browser, are left out, as <script> is.
# A page that brings its empty row, its "nothing found" or its second price as a hidden element, to be shown by a script, has them all as text for readers in a terminal, for mail programs that make text with these
# browsers, and for those who index by lynx -dump.
# Version: lynx 2.9.0dev.12, w3m 0.5.3, elinks 0.13.2 (Debian's packages).
set -euo pipefail
command -v lynx w3m elinks > /dev/null || { echo "needs Debian's packages lynx, w3m and elinks"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/page.html" <<'HTML'
<!doctype html><title>Mug</title>
<p>Mug 19.90</p>
<template><p>row</p></template>
<p hidden>nothing found</p>
<dialog><p>sold</p></dialog>
<details><summary>Sizes</summary><p>big</p></details>
<script type="application/ld+json">{"name":"script"}</script>
HTML
export HOME=$dir
words() { grep -oE 'Mug|row|nothing found|sold|big|script' | tr '\n' ' '; }
seen=$(for browser in lynx w3m elinks; do echo "$browser: $("$browser" -dump "$dir/page.html" < /dev/null | words)"; done)
dpkg-query -W -f '${Package} ${Version}\n' lynx w3m elinks
echo "seen: $seen"
[ "$seen" = 'lynx: Mug row nothing found sold big 
w3m: Mug row nothing found sold big 
elinks: Mug row nothing found sold big ' ]
