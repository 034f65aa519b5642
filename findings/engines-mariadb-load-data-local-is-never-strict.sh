#!/usr/bin/env bash
# MariaDB in strict mode (its default) refuses the price abc or 1,5 in INSERT and in LOAD DATA, but LOAD DATA LOCAL takes the same file: abc is 0.00, 1,5 is 1.00, true is 0 and an empty
# price is 0.00, with warnings that no program sees. One would guess that the mode holds for every way in. A price list that is loaded
# from the shop keeper's machine makes products free and turns "available: true" into no.
# Version: MariaDB 10.11 (Debian's package mariadb-server).
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" --local-infile=1 > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults --local-infile=1 -S "$dir/my/socket" -uroot -N -e "$1" 2>&1; }
for _ in $(seq 100); do sql "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
printf '1,abc,true\n2,"1,5",false\n3,,1\n' > "$dir/my/prices.csv"; chmod 755 "$dir/my"; chmod 644 "$dir/my/prices.csv"
sql "CREATE DATABASE shop; CREATE TABLE shop.prices (id INT, price DECIMAL(10,2), available BOOLEAN)"
load() { sql "LOAD DATA $1 INFILE '$dir/my/prices.csv' INTO TABLE shop.prices FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"'" | { grep -o "Incorrect.*'abc'" || true; }; sql "SELECT * FROM shop.prices"; }
seen="$(sql 'SELECT @@sql_mode LIKE "%STRICT%"')
$(load '' || true)
$(load LOCAL)"
echo "MariaDB $(sql 'SELECT version()')"
echo "seen: $seen"
[ "$seen" = '1
Incorrect decimal value: '\''abc'\''
1	0.00	0
2	1.00	0
3	0.00	1' ]
