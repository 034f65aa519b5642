#!/usr/bin/env bash
# pg gives a numeric price as the text "20.00" and the same prices in an array, array_agg(price), as the numbers [20, 19.9]: its digits are gone, and 12345678901234567.89 is 12345678901234568. A bigint is text alone and in an array.
# One would guess that an array has what its column has, because pg keeps numeric and bigint as text on purpose, so that no digit is lost; postgres.js gives texts for both.
# A catalog that shows a product's price and, from an array, its tiers or the prices of its variants writes "20.00" beside 20, finds price in none of its tiers by === or includes(), and a change of a price's zeros changes no tier. Write array_agg(price::text).
# Version: pg@8.23.1 with pg-types@2.2.0 and PostgreSQL 15 (Debian's package postgresql), postgres@3.4.9, seen on Node 24.
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
cat > "$dir/prices.mjs" << 'END'
import pg from "pg";
import postgres from "postgres";

const at = { host: process.argv[2], user: "postgres", database: "postgres" };
const QUERY = `SELECT max(price) AS highest, array_agg(price ORDER BY price DESC) AS prices, array_agg(price::text ORDER BY price DESC) AS texts,
  array_agg(id ORDER BY id) AS ids FROM (VALUES (1::bigint, 20.00), (2, 19.90), (3, 12345678901234567.89)) AS variant (id, price)`;
const client = new pg.Client(at);
await client.connect();
console.log("pg:", JSON.stringify((await client.query(QUERY)).rows[0]));
await client.end();
const sql = postgres(at);
console.log("postgres:", JSON.stringify((await sql.unsafe(QUERY))[0]));
await sql.end();
END
seen="$(node "$dir/prices.mjs" "$dir/socket")"
"$bin/postgres" --version
echo "seen: $seen"
texts='["12345678901234567.89","20.00","19.90"]'
[ "$seen" = "pg: {\"highest\":\"12345678901234567.89\",\"prices\":[12345678901234568,20,19.9],\"texts\":$texts,\"ids\":[\"1\",\"2\",\"3\"]}
postgres: {\"highest\":\"12345678901234567.89\",\"prices\":$texts,\"texts\":$texts,\"ids\":[\"1\",\"2\",\"3\"]}" ]
