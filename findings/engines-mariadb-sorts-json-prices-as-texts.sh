#!/usr/bin/env bash
# MariaDB orders and compares what JSON_EXTRACT gives as texts where both sides are JSON: ORDER BY JSON_EXTRACT(doc, '$.price') gives 100, 19.90, 5, MAX of these is the word null, 19.9 and 19.90 are two values for DISTINCT and "=", and GREATEST(5, 100) is 5.
# And a price of JSON null is below 20. One would guess numbers, as MySQL, whose function it is, has them; compared with a plain number it is one in MariaDB, too.
# A query that was written for MySQL sorts the products of a shop with JSON columns by the first digit of their price, and shows those without a price among the cheap ones.
# Version: MariaDB 10.11 (Debian's package mariadb-server).
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N -e "$1" 2>&1; }
for _ in $(seq 100); do sql "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
sql "CREATE DATABASE shop; CREATE TABLE shop.p (slug TEXT, doc JSON); INSERT INTO shop.p VALUES ('cup', '{\"price\":5}'), ('mug', '{\"price\":19.90}'), ('lamp', '{\"price\":100}'), ('gift', '{\"price\":null}')"
price="JSON_EXTRACT(doc, '\$.price')"
seen=$(for query in "GROUP_CONCAT(slug ORDER BY $price) FROM shop.p" "MAX($price) FROM shop.p" "GROUP_CONCAT(slug ORDER BY slug) FROM shop.p WHERE $price < 20" "GREATEST(JSON_EXTRACT('[5]', '\$[0]'), JSON_EXTRACT('[100]', '\$[0]'))" "JSON_EXTRACT('[19.9]', '\$[0]') = JSON_EXTRACT('[19.90]', '\$[0]')"; do sql "SELECT $query"; done | tr '\n' ';')
echo "MariaDB $(sql 'SELECT version()')"
echo "seen: $seen"
[ "$seen" = 'lamp,mug,cup,gift;null;cup,gift,mug;5;0;' ]
