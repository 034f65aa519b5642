#!/usr/bin/env bash
# Free Pascal's fpjson writes the prices 19.90 and 20.00, which it has read, as 1.9899999999999999E+001 and 2.0000000000000000E+001; json-glib, of GNOME's programs, writes the first as 19.899999999999999.
# One would guess 19.9 and 20: all that need no more than the digits which lead back to the number have written them so for years. Both are valid and the same double.
# A price that is shown as it stands, or read as a decimal (Python's Decimal, PostgreSQL's numeric), is another one; a diff of two exports shows every product.
# Version: fpjson of Free Pascal 3.2.2, json-glib 1.6.6 (Debian's packages fp-compiler, fp-units-fcl, libjson-glib-dev, gcc and pkg-config).
set -euo pipefail
command -v fpc gcc pkg-config > /dev/null && pkg-config --exists json-glib-1.0 || { echo "needs Debian's packages fp-compiler, fp-units-fcl, libjson-glib-dev, gcc and pkg-config"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > prices.pas <<'PAS'
program prices;
{$mode objfpc}
uses fpjson, jsonparser;
begin
  write(GetJSON('[19.90,20.00,5]').AsJSON);
end.
PAS
cat > glib.c <<'C'
#include <json-glib/json-glib.h>

int main(void) {
  g_print("%s", json_to_string(json_from_string("[19.90,20.00,5]", NULL), FALSE));
  return 0;
}
C
fpc -v0 prices.pas > /dev/null 2>&1
gcc -o glib glib.c $(pkg-config --cflags --libs json-glib-1.0)
seen="$(./prices) $(./glib)"
echo "Free Pascal $(fpc -iV), json-glib $(pkg-config --modversion json-glib-1.0)"
echo "seen: $seen"
[ "$seen" = '[1.9899999999999999E+001, 2.0000000000000000E+001, 5] [19.899999999999999,20.0,5]' ]
