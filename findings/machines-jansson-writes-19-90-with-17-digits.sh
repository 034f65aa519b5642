#!/usr/bin/env bash
# jansson, the JSON library of C behind jshon and Emacs 28's json-serialize, writes the price 19.90 that it has read as 19.899999999999999, and 0.1 as 0.10000000000000001: by default it prints 17 digits. One would guess the shortest digits that give the same number, as
# jq, Python and Emacs's older json-encode write them.
# It is the same double, but no longer the same text: a file that jshon or Emacs has saved differs in each price, digests and diffs change, and who shows the number as it is written shows 19.899999999999999.
# Version: jshon 20131010 with libjansson 2.14, Emacs 28.2 (Debian's packages jshon and emacs-nox).
set -euo pipefail
for tool in jshon emacs jq; do command -v $tool > /dev/null || { echo "needs Debian's packages jshon emacs-nox jq"; exit 1; }; done
list='{"price":19.90,"rate":0.1,"stock":5}'
elisp="(progn (require 'json) (princ (json-serialize (json-parse-string (getenv \"LIST\")))) (terpri) (princ (json-encode (json-read-from-string (getenv \"LIST\")))) (terpri))"
seen=$(echo "jshon $(jshon <<< "$list" | tr -d ' \n')"
  LIST=$list emacs --quick --batch --eval "$elisp" 2> /dev/null | paste -d ' ' <(printf '%s\n' json-serialize json-encode) -
  echo "jq $(jq -c . <<< "$list")")
dpkg-query -W -f '${Package} ${Version}\n' jshon libjansson4 emacs-nox jq
echo "seen: $seen"
[ "$seen" = 'jshon {"price":19.899999999999999,"rate":0.10000000000000001,"stock":5}
json-serialize {"price":19.899999999999999,"rate":0.10000000000000001,"stock":5}
json-encode {"price":19.9,"rate":0.1,"stock":5}
jq {"price":19.9,"rate":0.1,"stock":5}' ]
