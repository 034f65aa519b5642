#!/usr/bin/env bash
# A size is an ENUM('S', 'M', 'L', 'XL'). ORDER BY size gives S, M, L, XL, so one would guess that MIN(size) is S and that size < 'M' finds S. MIN and MAX go by the letters and give L and XL,
# size < 'M' finds L alone, and size < 2 finds S: ORDER BY counts places, comparisons with texts and the aggregates do not. PostgreSQL's enum keeps to its own order in all of them.
# "Sizes from L to XL" of a catalog, a filter from M on, and a cursor (size > the last one) are wrong, although the sorted list of the same column is right.
# Version: MariaDB 10.11 (Debian's package mariadb-server).
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N -e "$1" 2>&1; }
for _ in $(seq 100); do sql "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
sql "CREATE DATABASE shop; CREATE TABLE shop.variant (size ENUM('S', 'M', 'L', 'XL')); INSERT INTO shop.variant VALUES ('L'), ('S'), ('XL'), ('M')"
list() { sql "SELECT size FROM shop.variant $1 ORDER BY size" | xargs; }
seen="sorted: $(list ''); first: $(sql 'SELECT size FROM shop.variant ORDER BY size LIMIT 1')
MIN and MAX: $(sql 'SELECT MIN(size), MAX(size) FROM shop.variant' | xargs)
below M: $(list "WHERE size < 'M'"); from M on: $(list "WHERE size >= 'M'"); below 2: $(list 'WHERE size < 2')"
echo "MariaDB $(sql 'SELECT version()')"
echo "seen: $seen"
[ "$seen" = "sorted: S M L XL; first: S
MIN and MAX: L XL
below M: L; from M on: S M XL; below 2: S" ]
