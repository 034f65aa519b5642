#!/usr/bin/env bash
# A sale with the end 'infinity', PostgreSQL's word for "no end", runs in SQL and by pg, which gives the number Infinity: it is later than any Date. postgres.js gives an Invalid Date, which is neither later nor earlier: sale.ends > new Date() is false.
# One would guess that both say the same of a moment that the database can compare. Both write null in JSON, also for '-infinity', so an answer does not show which it was; toISOString() is missing on the one and raises an error on the other.
# A catalog shows the full price for each sale without an end once it has changed its driver, and no test with a date sees it. Give NULLIF(ends, 'infinity') AS ends, or compare in SQL.
# Version: pg@8.23.1 and postgres@3.4.9 with PostgreSQL 15 (Debian's package postgresql), seen on Node 24.
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
npm install --silent --no-fund --no-audit --prefix "$dir" postgres@3.4.9 pg@8.23.1
cat > "$dir/sales.mjs" << 'END'
import pg from "pg";
import postgres from "postgres";

const at = { host: process.argv[2], user: "postgres", database: "postgres" };
const QUERY = "SELECT starts, ends, ends > now() AS runs FROM (VALUES ('-infinity'::timestamptz, 'infinity'::timestamptz)) AS sale (starts, ends)";
const show = (name, { starts, ends, runs }) => {
  const now = new Date();
  console.log(`${name}: ends ${ends}, by SQL ${runs}, by > ${ends > now}, by starts < ${starts < now}, JSON ${JSON.stringify({ starts, ends })}`);
};
const client = new pg.Client(at);
await client.connect();
show("pg", (await client.query(QUERY)).rows[0]);
await client.end();
const sql = postgres(at);
show("postgres", (await sql.unsafe(QUERY))[0]);
await sql.end();
END
seen="$(node "$dir/sales.mjs" "$dir/socket")"
"$bin/postgres" --version
echo "seen: $seen"
[ "$seen" = 'pg: ends Infinity, by SQL true, by > true, by starts < true, JSON {"starts":null,"ends":null}
postgres: ends Invalid Date, by SQL true, by > false, by starts < false, JSON {"starts":null,"ends":null}' ]
