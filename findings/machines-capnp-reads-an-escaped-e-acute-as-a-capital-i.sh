#!/usr/bin/env bash
# Cap'n Proto's JSON reads the escape \u00e9 as "I" and \u20ac, the euro sign, as a space: the digits a to f of an escape count as 0 to 5. \u003c, as Go and Rails write "<", becomes "2"; escapes of the digits 0 to 9 alone are right, so \u0026 is "&".
# One would guess that the escapes of JSON are read by every library as by JSON.parse, or refused. The same letters unescaped, in UTF-8, are read rightly, so a test with "é" in the file passes.
# PHP's json_encode and Python's json.dumps escape all that is not ASCII unless they are told not to: a catalog of theirs gets other titles and currencies, without an error. Write UTF-8 (JSON_UNESCAPED_UNICODE, ensure_ascii=False).
# Version: Cap'n Proto 0.9.2 (Debian's packages capnproto and python3).
set -euo pipefail
command -v capnp > /dev/null || { echo "needs Debian's package capnproto"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > shop.capnp <<'SCHEMA'
@0xbf5147cbbecf40c1;
struct Product { title @0 :Text; }
SCHEMA
export LC_ALL=C.UTF-8
seen=$(for title in 'Café' 'Äpfel' '5 €'; do
  for ascii in True False; do
    python3 -c 'import json, sys; print(json.dumps({"title": sys.argv[1]}, ensure_ascii=sys.argv[2] == "True"))' "$title" "$ascii" > product.json
    echo "$(cat product.json) is read as $(capnp convert json:json shop.capnp Product < product.json | sed -n 's/.*"title": *\("[^"]*"\).*/\1/p')"
  done
done
for escape in '\u003c' '\u003e' '\u0026'; do
  echo "$escape is read as $(echo "{\"title\":\"$escape\"}" | capnp convert json:json shop.capnp Product | sed -n 's/.*"title": *\("[^"]*"\).*/\1/p')"
done)
capnp --version
echo "seen: $seen"
[ "$seen" = '{"title": "Caf\u00e9"} is read as "CafI"
{"title": "Café"} is read as "Café"
{"title": "\u00c4pfel"} is read as "$pfel"
{"title": "Äpfel"} is read as "Äpfel"
{"title": "5 \u20ac"} is read as "5 '$'\u2002''"
{"title": "5 €"} is read as "5 €"
\u003c is read as "2"
\u003e is read as "4"
\u0026 is read as "&"' ]
