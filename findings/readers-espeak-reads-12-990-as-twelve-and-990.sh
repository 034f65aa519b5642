#!/usr/bin/env bash
# espeak-ng, the usual voice of Orca and one of those of NVDA, reads a price that a browser's Intl.NumberFormat has written in French, Polish, Swedish, Norwegian, Finnish, Hungarian or Bulgarian as two numbers: 12 990 is "twelve, nine hundred and ninety". Between the digits is U+202F or U+00A0; with a plain
# space it says "twelve thousand…". One would guess that the space which the locale's own rules put there is the one that a speech program knows, and the plain one is the doubtful one.
# Who hears a page of a shop hears another price than it shows. For the ear a price needs no grouping: useGrouping: false in aria-label is read right everywhere.
# Version: espeak-ng 1.51 (Debian's package espeak-ng), Node 20.
set -euo pipefail; export LC_ALL=C.UTF-8
command -v espeak-ng > /dev/null || { echo "needs Debian's package espeak-ng"; exit 1; }
spoken() { espeak-ng -q -x -v "$1" "$2" 2> /dev/null | tr -d '\n'; }
as() { [ "$(spoken "$1" "$2")" = "$(spoken "$1" 12990)" ] && echo whole || echo "in two"; }
seen=$(for language in fr pl sv nb fi hu bg de en; do
  written=$(node -p "new Intl.NumberFormat('$language', { useGrouping: 'always' }).format(12990)")
  plain=${written//$'\u202f'/ }; plain=${plain//$'\u00a0'/ }
  echo "$language: Intl's $(as "$language" "$written"), plain $(as "$language" "$plain")"
done)
espeak-ng --version
echo "seen: $seen"
echo "French, Intl's: $(spoken fr $'12\u202f990'); plain: $(spoken fr '12 990')"
[ "$(sort <<< "$seen" | tr '\n' ';')" = "bg: Intl's in two, plain whole;de: Intl's whole, plain whole;en: Intl's whole, plain whole;fi: Intl's in two, plain whole;fr: Intl's in two, plain whole;hu: Intl's in two, plain whole;nb: Intl's in two, plain whole;pl: Intl's in two, plain whole;sv: Intl's in two, plain whole;" ]
