#!/usr/bin/env bash
# JSON_TABLE of MariaDB, in strict mode, makes a column p DECIMAL(6,2) of "abc" 0.00, of "1,5" 1.00 and of true 1.00, a BIGINT of 12345678901234567890 the greatest that there is, and cuts a text to its column; with ERROR ON ERROR it
# does the same. One would guess NULL, its default ON ERROR, or the error that was asked for: INSERT of these values is one. Only for a list or an object is there NULL and an error.
# An import of a catalog's JSON by INSERT … SELECT FROM JSON_TABLE, which looks like the checked way, gives products away and cuts their keys.
# Version: MariaDB 10.11 (Debian's package mariadb-server).
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N -e "$1" 2>&1; }
for _ in $(seq 100); do sql "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
table() { sql "SELECT GROUP_CONCAT(IFNULL(c, 'NULL') ORDER BY n SEPARATOR ' ') FROM JSON_TABLE('$1', '\$[*]' COLUMNS (n FOR ORDINALITY, c $2 PATH '\$' $3)) t" | sed 's/ at line.*//'; }
seen="$(table '["abc","1,5",true,[1]]' 'DECIMAL(6,2)' ''); $(table '["abc","1,5",true]' 'DECIMAL(6,2)' 'ERROR ON ERROR'); $(table '[12345678901234567890]' BIGINT 'ERROR ON ERROR'); $(table '["mug-0001","mug-0002"]' 'VARCHAR(5)' 'ERROR ON ERROR')"
echo "MariaDB $(sql 'SELECT version()'), $(sql 'SELECT @@sql_mode')"
echo "seen: $seen"
[ "$seen" = '0.00 1.00 1.00 NULL; 0.00 1.00 1.00; 9223372036854775807; mug-0 mug-0' ]
