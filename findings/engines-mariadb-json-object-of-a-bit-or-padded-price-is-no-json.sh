#!/usr/bin/env bash
# JSON_OBJECT and JSON_ARRAYAGG of MariaDB are guessed to give valid JSON, whatever the columns. A DECIMAL or INT with ZEROFILL is written with its zeros, {"price": 000019.90}, and a BIT, in which
# several frameworks keep booleans, as an escape without quotes, {"featured": \u0001}. Both are no JSON: JSON_VALID says so, a JSON column refuses them, every parser fails. No warning is given.
# A catalog API that lets the database make its records, or lists in them, answers with broken JSON as soon as such a column is among them. The column + 0 is written as a number.
# Version: MariaDB 10.11 (Debian's package mariadb-server).
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N -e "$1" 2>&1; }
for _ in $(seq 100); do sql "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
sql "CREATE DATABASE shop; CREATE TABLE shop.product (id INT, price DECIMAL(8, 2) ZEROFILL, featured BIT(1)); INSERT INTO shop.product VALUES (1, 19.90, b'1')"
ask() { sql "SELECT $1, JSON_VALID($1) FROM shop.product" | sed 's/\\\\/\\/g' | tr '\t' ' '; }
seen="$(ask "JSON_OBJECT('price', price)")
$(ask "JSON_OBJECT('featured', featured)")
$(ask "JSON_ARRAYAGG(price)")
$(ask "JSON_OBJECT('price', price + 0, 'featured', featured + 0)")
warnings: $(sql "SELECT JSON_OBJECT('price', price) FROM shop.product; SHOW COUNT(*) WARNINGS" | tail -1)"
echo "MariaDB $(sql 'SELECT version()')"
echo "seen: $seen"
[ "$seen" = '{"price": 000019.90} 0
{"featured": \u0001} 0
[000019.90] 0
{"price": 19.90, "featured": 1} 1
warnings: 0' ]
