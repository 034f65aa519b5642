#!/usr/bin/env bash
# SQLite's own interface for Tcl stores the text 00123 in a column of type TEXT as 83, if the script has looked at it as a number before: after string is integer -strict $sku or if {$sku > 0}, INSERT … VALUES($sku) binds what Tcl remembers of that look, an
# octal number. The version 1.10 becomes 1.1, and 1e3 becomes 1000.0. Without the look each is stored as it is, and the variable prints as 00123 before and after.
# One would guess that a check leaves a value as it is: in Tcl everything is a text, and the column is declared TEXT.
# An import of a catalog that validates its article numbers changes them; the one that does not is right. VALUES(CAST(@sku AS TEXT)) always stores the text.
# Version: SQLite 3.40.1 (Debian's package libsqlite3-tcl) with Tcl 8.6.
set -euo pipefail
command -v tclsh > /dev/null && [ "$(echo 'puts [catch {package require sqlite3}]' | tclsh)" = 0 ] || { echo "needs Debian's packages libsqlite3-tcl and tcl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.tcl" <<'TCL'
package require sqlite3
sqlite3 db :memory:
db eval {CREATE TABLE p(sku TEXT)}
proc stored {} { db onecolumn {SELECT sku FROM p ORDER BY rowid DESC} }
foreach sku [split "00123 1.10 1e3"] {
  db eval {INSERT INTO p VALUES($sku)}
  puts -nonewline "[stored] "
  string is double -strict $sku
  db eval {INSERT INTO p VALUES($sku)}
  puts -nonewline "[stored] "
  db eval {INSERT INTO p VALUES(CAST(@sku AS TEXT))}
  puts -nonewline "[stored]; "
}
TCL
seen=$(tclsh "$dir/run.tcl")
echo "SQLite $(echo 'puts [package require sqlite3]' | tclsh), Tcl $(echo 'puts [info patchlevel]' | tclsh)"
echo "seen: $seen"
[ "$seen" = '00123 83 00123; 1.10 1.1 1.10; 1e3 1000.0 1e3; ' ]
