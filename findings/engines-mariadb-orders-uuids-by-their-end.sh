#!/usr/bin/env bash
# A column of MariaDB's type UUID sorts ffffffff-0000-1000-8000-000000000000 before 00000000-0000-1000-8000-000000000003, and MIN() and > go by the same order: the last twelve digits count first. The same values in
# a CHAR(36), in PostgreSQL's uuid or in a program are sorted from the left. One would guess that what is shown as a text is in the order of the text.
# Cursors (id > last) work as long as the database alone compares. A program that merges two sorted lists, takes the greatest id of a page as its cursor, or checks the order, skips products or reads them twice.
# Version: MariaDB 10.11 (Debian's package mariadb-server).
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N -e "$1" 2>&1; }
for _ in $(seq 100); do sql "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
sql "CREATE DATABASE shop; CREATE TABLE shop.product (id UUID PRIMARY KEY, text CHAR(36));
INSERT INTO shop.product (id) VALUES ('ffffffff-0000-1000-8000-000000000000'), ('00000000-0000-1000-8000-000000000003'), ('123e4567-e89b-12d3-a456-426614174000');
UPDATE shop.product SET text = id"
seen="by id: $(sql 'SELECT LEFT(id, 8) FROM shop.product ORDER BY id' | xargs)
by text: $(sql 'SELECT LEFT(text, 8) FROM shop.product ORDER BY text' | xargs)
above 80000000-…: $(sql "SELECT COUNT(id > '80000000-0000-1000-8000-000000000000' OR NULL), COUNT(text > '80000000-0000-1000-8000-000000000000' OR NULL) FROM shop.product" | xargs)"
echo "MariaDB $(sql 'SELECT version()')"
echo "seen: $seen"
[ "$seen" = "by id: ffffffff 00000000 123e4567
by text: 00000000 123e4567 ffffffff
above 80000000-…: 3 1" ]
