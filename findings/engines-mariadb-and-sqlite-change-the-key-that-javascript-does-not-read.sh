#!/usr/bin/env bash
# JSON_OBJECTAGG (json_group_object in SQLite) over a product's attributes is guessed to give each key once. Two rows with the name "size" give {"size":"S","size":"M"}, valid for both databases. They then read the first of the two:
# JSON_VALUE and json_extract say S, where JSON.parse and Python say M. JSON_SET changes the first, so that a reader outside goes on seeing M, and a later query in the database confirms the change.
# A filter in the database and the page made from the same column show different sizes, and a correction never arrives in the API. PostgreSQL's jsonb keeps the last value, its json_object_agg writes both.
# Version: MariaDB 10.11 and SQLite 3.40 (Debian's packages mariadb-server and sqlite3), read by Node and Python.
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N -e "$1" 2>&1; }
for _ in $(seq 100); do sql "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
sql "CREATE DATABASE shop"
rows="CREATE TABLE attribute (name VARCHAR(9), value VARCHAR(9)); INSERT INTO attribute VALUES ('size', 'S'), ('size', 'M')"
sql "USE shop; $rows"
outside() { printf '%s, Python %s' "$(node -p 'JSON.parse(process.argv[1]).size' "$1")" "$(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["size"])' "$1")"; }
show() { echo "$1: $2 valid $3, reads $4; Node $(outside "$2"); after SET reads $5; Node $(outside "$6")"; }
mapfile -t m < <(sql "SELECT JSON_OBJECTAGG(name, value), JSON_VALID(JSON_OBJECTAGG(name, value)), JSON_VALUE(JSON_OBJECTAGG(name, value), '$.size'), JSON_VALUE(JSON_SET(JSON_OBJECTAGG(name, value), '$.size', 'L'), '$.size'),
  JSON_SET(JSON_OBJECTAGG(name, value), '$.size', 'L') FROM shop.attribute" | tr '\t' '\n')
mapfile -t s < <(sqlite3 -separator $'\n' :memory: "$rows; WITH o (j) AS (SELECT json_group_object(name, value) FROM attribute)
  SELECT j, json_valid(j), json_extract(j, '$.size'), json_extract(json_set(j, '$.size', 'L'), '$.size'), json_set(j, '$.size', 'L') FROM o")
seen="$(show MariaDB "${m[@]}")
$(show SQLite "${s[@]}")"
echo "MariaDB $(sql 'SELECT version()'), SQLite $(sqlite3 --version | cut -d' ' -f1), Node $(node --version), $(python3 --version)"
echo "seen: $seen"
[ "$seen" = 'MariaDB: {"size":"S", "size":"M"} valid 1, reads S; Node M, Python M; after SET reads L; Node M, Python M
SQLite: {"size":"S","size":"M"} valid 1, reads S; Node M, Python M; after SET reads L; Node M, Python M' ]
