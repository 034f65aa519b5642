#!/usr/bin/env bash
# MariaDB: COALESCE(JSON_ARRAYAGG(x), '[]') inside JSON_OBJECT is a text with a list in it, "[1]", also when there are elements: one plain text among the arguments makes the result a text.
# With JSON_ARRAY() as the default it is a list. IFNULL and IF do the same, GREATEST even with two lists. One would guess that a list that is there stays a list.
# This is the usual way to write "no images" as an empty list: then every product's images is a text that begins with a bracket.
# Version: MariaDB 10.11 (Debian's package mariadb-server).
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" --local-infile=1 > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults --local-infile=1 -S "$dir/my/socket" -uroot -N -e "$1" 2>&1; }
for _ in $(seq 100); do sql "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
seen=$(sql "SELECT JSON_OBJECT('images', COALESCE(JSON_ARRAYAGG(1), '[]')); SELECT JSON_OBJECT('images', COALESCE(JSON_ARRAYAGG(1), JSON_ARRAY()));
SELECT JSON_OBJECT('sale', IF(1, JSON_OBJECT('price', 5), '')); SELECT JSON_OBJECT('sale', CASE WHEN 1 THEN JSON_OBJECT('price', 5) END); SELECT JSON_OBJECT('first', GREATEST(JSON_ARRAY(1), JSON_ARRAY(2)))")
echo "MariaDB $(sql 'SELECT version()')"
echo "seen: $seen"
[ "$seen" = '{"images": "[1]"}
{"images": [1]}
{"sale": "{\\"price\\": 5}"}
{"sale": {"price": 5}}
{"first": "[2]"}' ]
