#!/usr/bin/env bash
# Tcllib's yaml::dict2yaml puts a text in quotes for no sign that YAML gives a meaning: "Kit # 2" is written as it is, and read back, by its own yaml::yaml2dict and by PyYAML alike, as "Kit". The title "| wide" takes the next line, the price,
# as its text; yaml2dict makes 10 of "[10] mm", 1 of "yes" and 1990 of the price 19,90. One would guess that a writer quotes what its reader would read otherwise, as js-yaml, PyYAML and Psych do.
# A catalog that a Tcl program hands on in YAML has shortened titles and other prices, without an error. Hand on JSON: json::write of Tcllib has none of this.
# Version: yaml 0.4.1 of Tcllib 1.21 (Debian's packages tcllib and python3-yaml).
set -euo pipefail
command -v tclsh > /dev/null && echo 'package require yaml' | tclsh > /dev/null 2>&1 && /usr/bin/python3 -c 'import yaml' 2> /dev/null \
  || { echo "needs Debian's packages tcl, tcllib and python3-yaml"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > write.tcl <<'TCL'
package require yaml

set number 0
foreach title {{Kit # 2} {[10] mm} {"Kit" new} yes 19,90 {| wide} {a: b} Mug} {
  set text [yaml::dict2yaml [list title $title price 20]]
  set file [open product-[incr number].yaml w]
  puts -nonewline $file $text
  close $file
  puts "$title: Tcl [string trim [dict get [yaml::yaml2dict $text] title]]"
}
TCL
seen=$(tclsh write.tcl
/usr/bin/python3 -c 'import json, yaml; print("PyYAML", json.dumps(yaml.safe_load(open("product-1.yaml"))))')
echo "yaml $(echo 'puts [package require yaml]' | tclsh), $(dpkg-query -W -f '${Package} ${Version}' tcllib)"
echo "seen: $seen"
[ "$seen" = 'Kit # 2: Tcl Kit
[10] mm: Tcl 10
"Kit" new: Tcl Kit
yes: Tcl 1
19,90: Tcl 1990
| wide: Tcl price: 20
a: b: Tcl a: b
Mug: Tcl Mug
PyYAML {"title": "Kit", "price": 20}' ]
