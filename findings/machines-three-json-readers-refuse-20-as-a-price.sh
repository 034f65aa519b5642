#!/usr/bin/env bash
# The float of {"price": 19.90} is read by D's std.json (.floating), OCaml's Yojson (to_float) and Ada's GNATCOLL.JSON (Get); the one of {"price": 20} raises an error in all three, and 20.0 is read again.
# One would guess that a number of JSON can be read as a float: the type of these libraries comes from the spelling, and JavaScript, PHP and PostgreSQL's to_jsonb of 20.0::float write 20.
# A reader that was written and tried with a price like 19.90 fails at the first whole price of a catalog. Each has another way: .get!double, to_number, a case on the kind.
# Version: std.json of LDC 1.30.0, Yojson 2.0.2, GNATCOLL 23.0.0 (Debian's packages ldc, libyojson-ocaml-dev, ocaml-findlib, gnat and libgnatcoll21-dev).
set -euo pipefail
command -v ldc2 ocamlfind gnatmake > /dev/null && [ -d /usr/share/ada/adainclude/gnatcoll ] && ocamlfind query yojson > /dev/null 2>&1 \
  || { echo "needs Debian's packages ldc, libyojson-ocaml-dev, ocaml-findlib, gnat and libgnatcoll21-dev"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > d_price.d <<'D'
import std.json, std.stdio;
void main(string[] arguments) {
  try writefln("%.1f", parseJSON(arguments[1])["price"].floating);
  catch (JSONException error) writeln(error.msg);
}
D
cat > ocaml_price.ml <<'ML'
open Yojson.Basic
let () =
  try Printf.printf "%.1f\n" (from_string Sys.argv.(1) |> Util.member "price" |> Util.to_float)
  with Util.Type_error (message, _) -> print_endline message
ML
cat > ada_price.adb <<'ADA'
with Ada.Command_Line, Ada.Text_IO, GNATCOLL.JSON;
procedure Ada_Price is
  Price : constant GNATCOLL.JSON.JSON_Value := GNATCOLL.JSON.Read (Ada.Command_Line.Argument (1)).Get ("price");
begin
  Ada.Text_IO.Put_Line (Integer'Image (Integer (10.0 * Float'(Price.Get))) & " tenths");
exception
  when Constraint_Error => Ada.Text_IO.Put_Line ("Constraint_Error");
end Ada_Price;
ADA
ldc2 d_price.d > /dev/null 2>&1
ocamlfind ocamlopt -package yojson -linkpkg ocaml_price.ml -o ocaml_price 2> /dev/null
gnatmake -q ada_price.adb -aI/usr/share/ada/adainclude/gnatcoll -aO"/usr/lib/$(gcc -dumpmachine)/ada/adalib/gnatcoll" -largs -lgnatcoll
seen=
for price in 19.90 20 20.0; do
  seen="$seen$price:"
  for reader in d_price ocaml_price ada_price; do seen="$seen $(./$reader "{\"price\":$price}" | sed 's/^ //'),"; done
  seen="$seen "
done
dpkg-query -W -f '${Package} ${Version}, ' ldc libyojson-ocaml-dev libgnatcoll21-dev; echo
echo "seen: $seen"
[ "$seen" = "19.90: 19.9, 19.9, 199 tenths, 20: JSONValue is not a floating type, Expected float, got int, Constraint_Error, 20.0: 20.0, 20.0, 200 tenths, " ]
