#!/usr/bin/env bash
# A price of 19990.95 in a FLOAT column of MariaDB is 19990.90 after mariadb-dump and a restore, and 1234567.50 is 1234570.00: the dump has six digits, as a SELECT shows them, of a value that has more. ROUND(price, 2), a sum or a comparison in the
# shop gave 19990.95 until then. One would guess that a backup gives back the very values, and that a shop's prices are the same after a move to another server.
# FLOAT(10,2), DOUBLE and DECIMAL come back as they were, and prices below 10,000 too, so that a test with a mug for 199.99 sees nothing. After a move a catalog publishes other prices, and each is a change.
# Version: MariaDB 10.11 with its mariadb-dump (Debian's package mariadb-server).
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N "$@" 2>&1; }
for _ in $(seq 100); do sql -e "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
sql -e "CREATE DATABASE shop; CREATE DATABASE moved; CREATE TABLE shop.product (slug VARCHAR(9) PRIMARY KEY, price FLOAT, list_price FLOAT(10,2));
INSERT INTO shop.product VALUES ('mug', 199.99, 199.99), ('piano', 19990.95, 19990.95), ('organ', 1234567.5, 1234567.5)"
mariadb-dump --no-defaults -S "$dir/my/socket" -uroot shop | sql moved
prices() { sql "$1" -e "SELECT slug, ROUND(price, 2), list_price FROM product ORDER BY list_price" | tr '\t' ' '; }
seen="before:
$(prices shop)
after:
$(prices moved)"
echo "MariaDB $(sql -e 'SELECT version()')"
echo "seen: $seen"
[ "$seen" = "before:
mug 199.99 199.99
piano 19990.95 19990.95
organ 1234567.50 1234567.50
after:
mug 199.99 199.99
piano 19990.90 19990.95
organ 1234570.00 1234567.50" ]
