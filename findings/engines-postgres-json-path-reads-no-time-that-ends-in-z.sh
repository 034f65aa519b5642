#!/usr/bin/env bash
# .datetime() of PostgreSQL's JSON path reads 2026-01-02T03:04:05+00:00, which to_jsonb writes, but not 2026-01-02T03:04:05Z, which every JavaScript program writes; timestamptz reads
# both. In the operators @? and @@ the error is hidden: the result is NULL, so the row does not match. One would guess that both are the same ISO time. Products with a sale window in
# a jsonb column that a Node shop filled (Medusa's metadata) are never on sale, without an error.
# Version: PostgreSQL 15.18 (Debian's package postgresql).
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1) || { echo "needs Debian's package postgresql"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"
as() { if [ "$(id -u)" = 0 ]; then su postgres -c "$1"; else bash -c "$1"; fi; }
trap 'as "$bin/pg_ctl -D $dir/pg/data -m immediate stop" > /dev/null 2>&1 || true; rm -rf "$dir"' EXIT
mkdir "$dir/pg"; [ "$(id -u)" != 0 ] || chown postgres "$dir/pg"
as "$bin/initdb -D $dir/pg/data -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg/data -o \"-c listen_addresses= -c unix_socket_directories=$dir/pg -c fsync=off\" -l $dir/pg/log -w start" > /dev/null
sql() { PGTZ=UTC psql -qAt -h "$dir/pg" -U postgres postgres -c "$1" 2>&1; }
seen="$(sql "SELECT time, time::timestamptz, jsonb_build_object('until', time) @? '\$.until.datetime()'
  FROM (VALUES ('2026-01-02T03:04:05+00:00'), ('2026-01-02T03:04:05Z')) AS t (time)")
$(sql "SELECT jsonb_path_query('{\"until\": \"2026-01-02T03:04:05Z\"}', '\$.until.datetime()')" | head -1 || true)"
echo "PostgreSQL $(sql 'SHOW server_version')"
echo "seen: $seen"
[ "$seen" = '2026-01-02T03:04:05+00:00|2026-01-02 03:04:05+00|t
2026-01-02T03:04:05Z|2026-01-02 03:04:05+00|
ERROR:  datetime format is not recognized: "2026-01-02T03:04:05Z"' ]
