#!/usr/bin/env bash
# A sale of one day, daterange('2026-11-27', '2026-11-27'), is guessed to be that day, or an error. It is "empty": a range leaves its upper end out by default, and PostgreSQL then keeps no bound. The day is gone from the
# table, lower() is NULL, an exclusion constraint lets any number of them in, and <@ says that the sale lies in every period, in 1999 too. Two days, '2026-11-27' to '2026-11-28', are one.
# A catalog shows no sale on its only day, sorts it with those without a beginning, and finds it in the list of each year; nothing brings the day back.
# Version: PostgreSQL 15 (Debian's package postgresql).
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1)
[ -n "$bin" ] || { echo "needs Debian's package postgresql"; exit 1; }
dir=$(mktemp -d)
as() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$*"; else sh -c "$*"; fi; }
end() {
  [ ! -f "$dir/pg/postmaster.pid" ] || as "$bin/pg_ctl -D $dir/pg -m immediate stop" > /dev/null 2>&1 || true
  rm -rf "$dir"
}
trap end EXIT
chmod 755 "$dir"; mkdir "$dir/pg" "$dir/socket"
[ "$(id -u)" != 0 ] || chown postgres "$dir/pg" "$dir/socket"
as "$bin/initdb -D $dir/pg -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg -w -l $dir/pg/log -o \"-c listen_addresses= -c unix_socket_directories=$dir/socket -c fsync=off\" start" > /dev/null
sql() { psql -X -q -h "$dir/socket" -U postgres -At -c "$1" 2>&1 | sed '/^DETAIL/d' || true; }
sql "CREATE TABLE sale (during daterange, EXCLUDE USING gist (during WITH &&)); INSERT INTO sale VALUES (daterange('2026-11-27', '2026-11-27')), (daterange('2026-11-27', '2026-11-27'))"
seen="stored: $(sql "SELECT during, lower(during) IS NULL, during @> date '2026-11-27', during <@ daterange('1999-01-01', '1999-02-01') FROM sale" | xargs)
one day more: $(sql "SELECT daterange('2026-11-27', '2026-11-28') @> date '2026-11-28'"); with both ends: $(sql "SELECT daterange('2026-11-27', '2026-11-27', '[]')")"
"$bin/postgres" --version
echo "seen: $seen"
[ "$seen" = "stored: empty|t|f|t empty|t|f|t
one day more: f; with both ends: [2026-11-27,2026-11-28)" ]
