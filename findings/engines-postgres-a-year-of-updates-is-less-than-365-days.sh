#!/usr/bin/env bash
# A licence's term as an interval of PostgreSQL: '1 year' is less than '365 days', and '1 month' equals '30 days', so that UNIQUE (product, term) refuses the licence of 30 days beside the one of a month, SELECT DISTINCT shows one of the two,
# and the filter "at least 365 days of updates" leaves out what has a year. Added to a day they differ: a month from 31 January is 28 February, thirty days are 2 March.
# One would guess that unlike terms are unlike values, or that a year counts as 365 days or more: a comparison takes each month for 30 days, so that a year has 360.
# A catalog that groups, sorts or filters licences and subscriptions by term merges two offers, and puts a year before 365 days.
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
sql "CREATE TABLE licence (product text, term interval, UNIQUE (product, term)); INSERT INTO licence VALUES ('font', '1 month'), ('icons', '1 year'), ('theme', '365 days')"
seen="$(sql "INSERT INTO licence VALUES ('font', '30 days')")
terms: $(sql "SELECT count(DISTINCT t) FROM (VALUES (interval '1 month'), ('30 days')) AS v (t)")
at least 365 days: $(sql "SELECT string_agg(product, ' ') FROM licence WHERE term >= '365 days'")
from 31 January: $(sql "SELECT (date '2026-01-31' + interval '1 month')::date, (date '2026-01-31' + interval '30 days')::date")"
"$bin/postgres" --version
echo "seen: $seen"
[ "$seen" = 'ERROR:  duplicate key value violates unique constraint "licence_product_term_key"
terms: 1
at least 365 days: theme
from 31 January: 2026-02-28|2026-03-02' ]
