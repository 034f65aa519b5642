#!/usr/bin/env bash
# Emacs reads {"attributes":{}} with json-read-from-string and writes it again with json-encode as {"attributes":null}: an empty object, null and an empty alist are all nil. Lists are kept ([] stays []), and so is false. One would guess that a pair of functions of one library
# gives back the kind of each value.
# A program that changes one price in a file of products turns every product without attributes, tags by name or translations into one whose field is null: readers that count its keys fail. (json-serialize of json-parse-string keeps the object.)
# Version: Emacs 28.2 (Debian's package emacs-nox).
set -euo pipefail
command -v emacs > /dev/null || { echo "needs Debian's package emacs-nox"; exit 1; }
list='{"id":1,"attributes":{},"tags":[],"sale":null,"featured":false}'
seen=$(LIST=$list emacs --quick --batch --eval "(progn (require 'json) (princ (json-encode (json-read-from-string (getenv \"LIST\")))) (terpri) (princ (json-serialize (json-parse-string (getenv \"LIST\")))))" 2> /dev/null)
emacs --version | head -n 1
echo "seen: $seen"
[ "$seen" = '{"id":1,"attributes":null,"tags":[],"sale":null,"featured":false}
{"id":1,"attributes":{},"tags":[],"sale":null,"featured":false}' ]
