#!/usr/bin/env bash
# PostgreSQL's type ean13 (extension isn) takes 4006381333931 and writes "400-638133393-1", as text, in JSON and in COPY, with two hyphens that no standard has for such a number; text functions and LIKE see them too. One would guess the 13
# digits, as its upc gives the 12: hyphens belong to ISBN. The EAN-8 on a small article, 96385074, is refused as an ISSN, and 012345678905 as a UPC.
# A feed made from that column has a gtin that Google does not read as one; a scanner's number is found by = (it is read as ean13) and by nothing that compares texts.
# Version: PostgreSQL 15 with its extension isn (Debian's packages postgresql and postgresql-contrib).
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
sql() { psql -X -q -At -h "$dir/socket" -U postgres -c "$1" 2>&1 | grep -v -e '^LINE' -e '\^' -e '^NOTICE'; }
sql "CREATE EXTENSION isn" || true
seen="$(sql "SELECT code, to_json(code), code = '4006381333931', code::text = '4006381333931', length(code::text) FROM (SELECT '4006381333931'::ean13 AS code) AS product")
$(sql "SELECT '012345678905'::upc")
$(sql "SELECT '012345678905'::ean13" || true)
$(sql "SELECT '96385074'::ean13" || true)"
"$bin/postgres" --version
echo "seen: $seen"
[ "$seen" = "400-638133393-1|\"400-638133393-1\"|t|f|15
012345678905
ERROR:  cannot cast UPC to EAN13 for number: \"012345678905\"
ERROR:  cannot cast ISSN to EAN13 for number: \"96385074\"" ]
