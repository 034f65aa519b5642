#!/usr/bin/env bash
# A foreign table of postgres_fdw is guessed to answer a SELECT as a local table with the same rows would. Texts are compared by the other database's collation, without a word, where the two differ (one made with
# C, one with an ICU or a libc locale): sku > 'K' finds three of four SKUs, MIN is another, and a join fails when the planner merges, with an error about a "mergejoin". Both columns show the collation "default".
# It depends on what is sent across: the same comparison of a column that a local function touches is made here, so one query has both orders, and pages by sku > last lose products.
# A catalog that gathers several shops' databases by foreign tables shows other products than each shop does.
# Version: PostgreSQL 15 (Debian's package postgresql; postgres_fdw is in it).
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
as "$bin/initdb -D $dir/pg -A trust -U postgres -E UTF8 --locale=C" > /dev/null
as "$bin/pg_ctl -D $dir/pg -w -l $dir/pg/log -o \"-c listen_addresses= -c unix_socket_directories=$dir/socket -c fsync=off\" start" > /dev/null
sql() { psql -X -q -h "$dir/socket" -U postgres -At "$1" -c "$2" 2>&1 || true; }
rows="CREATE TABLE product (sku TEXT PRIMARY KEY); INSERT INTO product VALUES ('a-1'), ('B-2'), ('k-3'), ('M-4'), ('z-5')"
sql postgres "CREATE DATABASE shop TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'"
sql shop "$rows"
sql postgres "$rows"
sql postgres "CREATE EXTENSION postgres_fdw; CREATE SERVER shop FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$dir/socket', dbname 'shop', use_remote_estimate 'true');
  CREATE USER MAPPING FOR postgres SERVER shop OPTIONS (user 'postgres'); CREATE FOREIGN TABLE far (sku TEXT) SERVER shop OPTIONS (table_name 'product')"
both() { echo "$(sql postgres "SELECT $1 FROM product $2"); far: $(sql postgres "SELECT $1 FROM far AS product $2")"; }
seen="above K: $(both "string_agg(sku, ' ' ORDER BY sku)" "WHERE sku > 'K'")
the least: $(both "MIN(sku)" "")
sorted: $(both "string_agg(sku, ' ' ORDER BY sku)" "")
compared here: $(sql postgres "SELECT string_agg(sku, ' ' ORDER BY sku) FROM far WHERE concat(sku) > 'K'")
joined: $(sql postgres "SET enable_hashjoin = off; SET enable_nestloop = off; SET enable_sort = off; SELECT COUNT(*) FROM far JOIN product USING (sku)")"
"$bin/postgres" --version
echo "seen: $seen"
[ "$seen" = "above K: M-4 a-1 k-3 z-5; far: k-3 M-4 z-5
the least: B-2; far: a-1
sorted: B-2 M-4 a-1 k-3 z-5; far: a-1 B-2 k-3 M-4 z-5
compared here: M-4 a-1 k-3 z-5
joined: ERROR:  mergejoin input data is out of order" ]
