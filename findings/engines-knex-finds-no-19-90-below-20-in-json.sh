#!/usr/bin/env bash
# whereJsonPath("data", "$.price", "<", 20) of Knex is guessed to compare the price in the JSON with 20. For PostgreSQL it writes (jsonb_path_query_first(data, '$.price'))::int < 20, because 20 is a whole number: 19.90 becomes 20
# and is not found below it, and 20.40 is found by "<= 20" and by "= 20". With 20.5 it writes ::float and is right. SQLite gets no cast.
# A catalog's filter "below 20" hides 19.90, the most usual price of all, and its tests with SQLite pass.
# Version: knex@3.3.0; PostgreSQL 15 (Debian's package postgresql).
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
npm install --silent --no-audit --no-fund --prefix "$dir/knex" knex@3.3.0 > /dev/null
query() { node -e 'const [, path, client, operator, value] = process.argv; const k = require(path)({ client, useNullAsDefault: true });
  console.log(k("product").whereJsonPath("data", "$.price", operator, Number(value)).select("name").orderBy("name").toString())' "$dir/knex/node_modules/knex" "$@"; }
sql "CREATE TABLE product (name TEXT, data JSONB); INSERT INTO product VALUES ('mug 19.90', '{\"price\": 19.90}'), ('tea 20.40', '{\"price\": 20.40}'), ('cup 5', '{\"price\": 5}')"
found() { echo "$1 $2: $(sql "$(query pg "$1" "$2")" | paste -sd, -)"; }
seen="$(found '<' 20)
$(found '<=' 20)
$(found '=' 20)
$(found '<' 20.5)
pg: $(query pg '<' 20 | sed 's/.* where //')
SQLite: $(query better-sqlite3 '<' 20 | sed 's/.* where //')"
"$bin/postgres" --version
echo "knex 3.3.0, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = '< 20: cup 5
<= 20: cup 5,mug 19.90,tea 20.40
= 20: mug 19.90,tea 20.40
< 20.5: cup 5,mug 19.90,tea 20.40
pg: jsonb_path_query_first("data", '"'$.price'"')::int < 20 order by "name" asc
SQLite: json_extract(`data`, '"'$.price'"') < 20 order by `name` asc' ]
