#!/usr/bin/env bash
# MariaDB leaves a row alone if UPDATE gives it the values that it has: "Changed: 0", and a column with ON UPDATE CURRENT_TIMESTAMP keeps its time. In a table WITH SYSTEM VERSIONING the same statement changes
# the row: one more row of history, and the time moves; so does INSERT … ON DUPLICATE KEY UPDATE. One would guess that history is of what changed.
# An import that writes all prices every night adds the whole table to the history each time and makes every product "changed last night": feeds, sitemaps and whoever reads only what changed since go by it.
# Version: MariaDB 10.11 (Debian's package mariadb-server).
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N -e "$1" 2>&1; }
for _ in $(seq 100); do sql "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
sql "CREATE DATABASE shop"
try() {
  sql "USE shop; CREATE TABLE $1 (id INT PRIMARY KEY, price DECIMAL(8,2), changed TIMESTAMP DEFAULT '2020-01-01' ON UPDATE CURRENT_TIMESTAMP) $2;
INSERT INTO $1 (id, price) VALUES (1, 19.90);
UPDATE $1 SET price = 19.90 WHERE id = 1;
SELECT '$1: updated rows', ROW_COUNT();
INSERT INTO $1 (id, price) VALUES (1, 19.90) ON DUPLICATE KEY UPDATE price = VALUES(price);
SELECT 'changed in 2020', YEAR(changed) = 2020 FROM $1"
}
seen="$(try plain ''; try versioned 'WITH SYSTEM VERSIONING'; sql "SELECT 'rows with history', COUNT(*) FROM shop.versioned FOR SYSTEM_TIME ALL")"
echo "MariaDB $(sql 'SELECT version()')"
echo "seen: $seen"
[ "$(tr '\t' ' ' <<< "$seen")" = "plain: updated rows 0
changed in 2020 1
versioned: updated rows 1
changed in 2020 0
rows with history 3" ]
