#!/usr/bin/env bash
# postgres.js reads a NULL within an array as the text "NULL": array_agg(tag.name) of a product that a LEFT JOIN finds no tag for is ["NULL"], a list of NULL and a real tag named NULL are the same, and of a boolean[] the NULL is false.
# One would guess null, as pg gives it and as postgres.js itself gives for a column without a value. An integer is NaN and a moment an Invalid Date, which JSON writes as null, so that a test with numbers looks right.
# An API of a catalog then has a tag, a colour or a size called NULL with a page of its own, and "not known" is "no". Write array_agg(…) FILTER (WHERE tag.name IS NOT NULL), or to_json(ARRAY(…)), which is parsed as JSON.
# Version: postgres@3.4.9 and pg@8.23.1 with PostgreSQL 15 (Debian's package postgresql), seen on Node 24.
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
cat > "$dir/tags.mjs" << 'END'
import pg from "pg";
import postgres from "postgres";

const at = { host: process.argv[2], user: "postgres", database: "postgres" };
const QUERY = `SELECT product.slug, array_agg(tag.name) AS tags, ARRAY[TRUE, NULL] AS vegan, ARRAY[3, NULL] AS stock,
  to_json(array_agg(tag.name)) AS tags_as_json
  FROM (VALUES ('mug')) AS product (slug) LEFT JOIN (VALUES ('cup', 'ceramic')) AS tag (product, name) ON tag.product = product.slug
  GROUP BY product.slug`;
const client = new pg.Client(at);
await client.connect();
console.log("pg:", JSON.stringify((await client.query(QUERY)).rows[0]));
await client.end();
const sql = postgres(at);
console.log("postgres:", JSON.stringify((await sql.unsafe(QUERY))[0]));
await sql.end();
END
seen="$(node "$dir/tags.mjs" "$dir/socket")"
"$bin/postgres" --version
echo "seen: $seen"
[ "$seen" = 'pg: {"slug":"mug","tags":[null],"vegan":[true,null],"stock":[3,null],"tags_as_json":[null]}
postgres: {"slug":"mug","tags":["NULL"],"vegan":[true,false],"stock":[3,null],"tags_as_json":[null]}' ]
