#!/usr/bin/env bash
# xgettext marks "100% cotton" in PHP, JavaScript, Python and C as a format, because "% c" is a directive with a space as its flag ("50% discount" and "20% off" are others), and msgfmt -c, which checks translations, then refuses "100 % Baumwolle"
# as not valid: "% B" is none. The French "100 % coton" passes. One would guess that a label without an argument is a plain text, in any language; German and French write a space before the sign.
# The labels of a shop are full of such texts: the build of its German catalog fails at them, or, if it is done without -c, nobody looks at real formats. Take the flag out of the catalog of labels,
# or keep the number an argument: "%d%% cotton".
# Version: GNU gettext 0.21 (Debian's package gettext).
set -euo pipefail
command -v xgettext > /dev/null || { echo "needs Debian's package gettext"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; export LC_ALL=C.UTF-8
labels='_("100% cotton"); _("50% discount"); _("20% off"); _("100% wool");'
echo "<?php $labels" > labels.php
for ending in js py c; do echo "$labels" > labels.$ending; done
head='msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

'
seen=$(for ending in php js py c; do
  echo "$ending: $(xgettext -k_ --from-code=UTF-8 -o - labels.$ending | grep -A1 -E '^#, [a-z]+-format' | sed -n 's/^msgid //p' | paste -sd' ')"
done
for translation in "100 % Baumwolle" "100 % coton"; do
  printf "%b#, php-format\nmsgid \"100%% cotton\"\nmsgstr \"%s\"\n" "$head" "$translation" > shop.po
  if msgfmt -c -o shop.mo shop.po 2> report; then echo "$translation: passes"; else echo "$translation: $(grep -o "'msgstr'.*" report)"; fi
done)
xgettext --version | head -1
echo "seen: $seen"
[ "$seen" = "php: \"100% cotton\" \"50% discount\" \"20% off\"
js: \"100% cotton\" \"50% discount\" \"20% off\"
py: \"100% cotton\" \"50% discount\" \"20% off\"
c: \"100% cotton\" \"50% discount\" \"20% off\"
100 % Baumwolle: 'msgstr' is not a valid PHP format string, unlike 'msgid'. Reason: In the directive number 1, the character 'B' is not a valid conversion specifier.
100 % coton: passes" ]
