#!/usr/bin/env bash
# pgloader moves a shop from SQLite to PostgreSQL. A column of texts with DEFAULT (datetime('now')) or (lower(hex(randomblob(4)))), SQLite's usual times and keys, gets the default 'datetime(''now'')', the words themselves,
# without a message: each product that is made from then on has them as its time and its key. If one column says DATETIME, PostgreSQL refuses that default, no table of the shop is made, and pgloader still exits with 0.
# One would guess a translation, no default, or a failure; DEFAULT CURRENT_TIMESTAMP is kept, and what was in the tables is right, so that it is seen only with the first new product.
# Version: pgloader 3.6.9 (Debian's package) with PostgreSQL 15 and SQLite 3.40.
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1)
[ -n "$bin" ] && command -v pgloader sqlite3 > /dev/null || { echo "needs Debian's packages pgloader, postgresql and sqlite3"; exit 1; }
dir=$(mktemp -d)
as() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$*"; else sh -c "$*"; fi; }
end() {
  [ ! -f "$dir/pg/postmaster.pid" ] || as "$bin/pg_ctl -D $dir/pg -m immediate stop" > /dev/null 2>&1 || true
  rm -rf "$dir"
}
trap end EXIT
chmod 755 "$dir"; mkdir "$dir/pg"
[ "$(id -u)" != 0 ] || chown postgres "$dir/pg"
as "$bin/initdb -D $dir/pg -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
port=$(node -e 'const s = require("net").createServer().listen(0); console.log(s.address().port); s.close()')
as "$bin/pg_ctl -D $dir/pg -w -l $dir/pg/log -o \"-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off\" start" > /dev/null
sqlite3 "$dir/shop.db" << 'END'
CREATE TABLE product (slug TEXT, code TEXT DEFAULT (lower(hex(randomblob(4)))), made TEXT DEFAULT (datetime('now')));
INSERT INTO product VALUES ('mug', 'a1b2c3d4', '2026-01-02 03:04:05');
END
sqlite3 "$dir/other.db" "CREATE TABLE brand (name TEXT); CREATE TABLE sale (slug TEXT, made DATETIME DEFAULT (datetime('now')))"
load() { pgloader "sqlite://$dir/$1.db" "postgresql://postgres@127.0.0.1:$port/postgres" > "$dir/log" 2>&1 && echo "pgloader of $1.db: exit 0"; }
exits="$(load other; load shop)"
sql() { psql -X -q -h 127.0.0.1 -p "$port" -U postgres -At -c "$1"; }
sql "INSERT INTO product (slug) VALUES ('cup')"
seen="$exits
$(sql "SELECT * FROM product ORDER BY slug DESC")
tables: $(sql "SELECT string_agg(table_name, ' ') FROM information_schema.tables WHERE table_schema = 'public'")"
dpkg-query --show pgloader
echo "seen: $seen"
[ "$seen" = "pgloader of other.db: exit 0
pgloader of shop.db: exit 0
mug|a1b2c3d4|2026-01-02 03:04:05
cup|lower(hex(randomblob(4)))|datetime('now')
tables: product" ]
