#!/usr/bin/env bash
# In PostgreSQL's full-text search a hyphen before digits is a minus: "Calendar 2026-11" holds the words 2026 and -11, so 11 does not find it, nor does 5
# find "A-5 template". One would guess the parts that "invoice-kit" gives (kit is found). Issues of a month, paper sizes and model numbers of a
# catalog are not found by their second half; "10-pack" is, since letters follow.
# Version: PostgreSQL 15.18 (Debian's package postgresql).
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1) || { echo "needs Debian's package postgresql"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"
as() { if [ "$(id -u)" = 0 ]; then su postgres -c "$1"; else bash -c "$1"; fi; }
trap 'as "$bin/pg_ctl -D $dir/pg/data -m immediate stop" > /dev/null 2>&1 || true; rm -rf "$dir"' EXIT
mkdir "$dir/pg"; [ "$(id -u)" != 0 ] || chown postgres "$dir/pg"
as "$bin/initdb -D $dir/pg/data -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg/data -o \"-c listen_addresses= -c unix_socket_directories=$dir/pg -c fsync=off\" -l $dir/pg/log -w start" > /dev/null
sql() { psql -qAt -h "$dir/pg" -U postgres postgres -c "$1"; }
seen=$(sql "SELECT title, query, to_tsvector('simple', title) @@ websearch_to_tsquery('simple', query) FROM (VALUES
  ('Calendar 2026-11', '11'), ('Calendar 2026-11', '2026'), ('A-5 template', '5'), ('10-pack', '10'), ('invoice-kit', 'kit')) AS t (title, query)")
echo "PostgreSQL $(sql 'SHOW server_version')"
echo "seen: $seen"
[ "$seen" = 'Calendar 2026-11|11|f
Calendar 2026-11|2026|t
A-5 template|5|f
10-pack|10|t
invoice-kit|kit|t' ]
