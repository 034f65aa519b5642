#!/usr/bin/env bash
# A sale without an end has the date '0000-00-00' in a column that is NOT NULL, as many PHP shops write it. WHERE ends IS NULL finds it (a rule for ODBC), and so does WHERE ends IS NOT NULL: one row meets both, and
# ends IS NULL AND ends IS NOT NULL. In the list of columns, in CASE, in SUM and in COALESCE the same expression says no. In a column that allows NULL, IS NULL does not find a zero date either.
# One would guess that a condition means the same wherever it is written, and that a row meets it or its opposite.
# A query of a catalog that asks for "no end, or an end to come" is right until the column is made NULL, or the condition moves into CASE or a computed column; then sales without an end vanish.
# Version: MariaDB 10.11 (Debian's package mariadb-server).
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N -e "$1" 2>&1; }
for _ in $(seq 100); do sql "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
table() { sql "SET sql_mode = ''; CREATE OR REPLACE TABLE shop.sale (name TEXT, ends DATE $1); INSERT INTO shop.sale VALUES ('open', '0000-00-00'), ('dated', '2026-12-01')"; }
names() { sql "SELECT IFNULL(GROUP_CONCAT(name ORDER BY name SEPARATOR ' '), 'none') FROM shop.sale WHERE $1"; }
sql "CREATE DATABASE shop"
table "NOT NULL"
seen="IS NULL: $(names 'ends IS NULL'); IS NOT NULL: $(names 'ends IS NOT NULL'); both: $(names 'ends IS NULL AND ends IS NOT NULL')
in CASE: $(names 'CASE WHEN ends IS NULL THEN 1 ELSE 0 END'); as a column: $(sql "SELECT ends IS NULL FROM shop.sale WHERE name = 'open'"); SUM: $(sql 'SELECT SUM(ends IS NULL) FROM shop.sale')
with COALESCE: $(names "COALESCE(ends, '2099-01-01') > '2026-11-30'")"
table "NULL"
seen="$seen
in a column that allows NULL: $(names 'ends IS NULL')"
echo "MariaDB $(sql 'SELECT version()')"
echo "seen: $seen"
[ "$seen" = "IS NULL: open; IS NOT NULL: dated open; both: open
in CASE: none; as a column: 0; SUM: 0
with COALESCE: dated
in a column that allows NULL: none" ]
