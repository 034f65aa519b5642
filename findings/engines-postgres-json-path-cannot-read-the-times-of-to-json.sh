#!/usr/bin/env bash
# PostgreSQL's to_jsonb writes a time as 2026-01-02T03:04:05+00:00, and .datetime() of its JSON path does not read that form, nor one with Z: only a space instead of
# the T. In @? and @@ the error is hidden, so the row just does not match. One would guess that the database reads its own JSON, which is ISO 8601. Products with a
# sale window in a jsonb column (Medusa's, Saleor's and own metadata) are never on sale, without an error.
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
seen="$(sql "SELECT v, v @? '\$.until.datetime()' FROM (VALUES
  (jsonb_build_object('until', timestamptz '2026-01-02 03:04:05+00')), ('{\"until\": \"2026-01-02T03:04:05Z\"}'), ('{\"until\": \"2026-01-02 03:04:05+00:00\"}')) AS t (v)")
$(sql "SELECT jsonb_path_query(jsonb_build_object('until', timestamp '2026-01-02 03:04:05'), '\$.until.datetime()')" | head -1)"
echo "PostgreSQL $(sql 'SHOW server_version')"
echo "seen: $seen"
[ "$seen" = '{"until": "2026-01-02T03:04:05+00:00"}|t
{"until": "2026-01-02T03:04:05Z"}|
{"until": "2026-01-02 03:04:05+00:00"}|t
"2026-01-02T03:04:05"' ]
