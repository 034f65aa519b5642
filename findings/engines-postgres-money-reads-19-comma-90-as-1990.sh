#!/usr/bin/env bash
# '19,90'::money, a price as half of Europe writes it, is guessed to be refused by a server with English or C settings, as '19,90'::numeric is. It becomes $1,990.00, a hundred times as much: a comma counts as a separator of
# thousands wherever it stands. '19,9' is $199.00 and '1,2,3' is $123.00. '1.990,00' is refused.
# An import from a European price list into such a column succeeds as long as no price is above a thousand, and the API shows each a hundred times as high.
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
seen="$(sql "SELECT '19,90'::money, '19,9'::money, '1,2,3'::money, '19,90'::money::numeric")
$(sql "SELECT '19,90'::numeric" | head -1)
$(sql "SELECT '1.990,00'::money" | head -1)"
"$bin/postgres" --version
echo "seen: $seen"
[ "$seen" = '$1,990.00|$199.00|$123.00|1990.00
ERROR:  invalid input syntax for type numeric: "19,90"
ERROR:  invalid input syntax for type money: "1.990,00"' ]
