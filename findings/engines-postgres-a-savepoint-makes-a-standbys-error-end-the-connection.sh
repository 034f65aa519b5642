#!/usr/bin/env bash
# A standby of PostgreSQL must replay a VACUUM while a catalog is read from it. It ends the statement, ERROR "canceling statement due to conflict with recovery", and the connection can try again at once.
# After a SAVEPOINT, as of ORMs' nested transactions, one would guess that to be so too: the error is rolled back to the savepoint. It is FATAL then: the server ends the connection, with the same SQLSTATE 40001.
# A program that tries again after 40001 on the connection that it has, or on a pool's that it takes for whole, fails as soon as a savepoint was set. The manual tells of cancelled queries and of idle sessions that end, not of this.
# Version: PostgreSQL 15 (Debian's package postgresql).
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1)
[ -n "$bin" ] || { echo "needs Debian's package postgresql"; exit 1; }
dir=$(mktemp -d)
as() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$*"; else sh -c "$*"; fi; }
end() {
  for data in standby primary; do
    [ ! -f "$dir/$data/postmaster.pid" ] || as "$bin/pg_ctl -D $dir/$data -m immediate stop" > /dev/null 2>&1 || true
  done
  rm -rf "$dir"
}
trap end EXIT
chmod 755 "$dir"; mkdir "$dir/a" "$dir/b"
[ "$(id -u)" != 0 ] || chown postgres "$dir" "$dir/a" "$dir/b"
start() { as "$bin/pg_ctl -D $dir/$1 -w -l $dir/$1.log -o \"-c listen_addresses= -c unix_socket_directories=$dir/$2 -c fsync=off $3\" start" > /dev/null; }
sql() { psql -X -q -h "$dir/$1" -U postgres -At -v VERBOSITY=verbose 2>&1; }
as "$bin/initdb -D $dir/primary -A trust -U postgres --locale=C --no-sync" > /dev/null
start primary a "-c autovacuum=off"
sql a <<< "CREATE TABLE product AS SELECT id, 19.90 AS price FROM generate_series(1, 1000) AS id"
as "$bin/pg_basebackup -h $dir/a -U postgres -D $dir/standby -R -c fast --no-sync"
start standby b "-c max_standby_streaming_delay=0"
# Reads the standby for some seconds, while the primary removes old rows.
read_during_vacuum() {
  sql b <<< "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT sum(price) FROM product; $1
    SELECT count(pg_sleep(0.02)) FROM product; ROLLBACK; SELECT 'still connected'" > "$dir/said" & local reading=$!
  for _ in $(seq 30); do
    sleep 0.5
    sql a <<< "UPDATE product SET price = price + 1; VACUUM product"
    kill -0 "$reading" 2> /dev/null || break
  done
  wait "$reading" || true
  grep -oE "(ERROR|FATAL):  40001|still connected|server closed the connection" "$dir/said" | xargs
}
seen="without a savepoint: $(read_during_vacuum "")
with a savepoint: $(read_during_vacuum "SAVEPOINT s;")"
"$bin/postgres" --version
echo "seen: $seen"
[ "$seen" = "without a savepoint: ERROR: 40001 still connected
with a savepoint: FATAL: 40001 server closed the connection" ]
