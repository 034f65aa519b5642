#!/usr/bin/env bash
# A product's list of pictures that is written into a jsonb column by pg, SET pictures = $1 with [], is stored as {}: pg writes a list as an array of PostgreSQL, {}, which is JSON of an object too. With a picture in it, the same statement is an error of syntax.
# One would guess an error for both, or none: lists must be given as JSON.stringify(list), and a programmer who tried one with an element knows. A list that is empty in the code, a default or a removed last picture, passes the column's check, and an object given as {} is right.
# A catalog then has "pictures": {} for some products: .map() is not a function, the schema's "array" refuses the record, and jsonb_array_elements ends the whole query. postgres.js stores []. Give JSON.stringify(list), and a CHECK (jsonb_typeof(pictures) = 'array').
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
cat > "$dir/pictures.mjs" << 'END'
import pg from "pg";
import postgres from "postgres";

const at = { host: process.argv[2], user: "postgres", database: "postgres" };
const client = new pg.Client(at);
await client.connect();
await client.query("CREATE TABLE product (pictures jsonb)");
const sql = postgres(at);
const stored = (row) => `${JSON.stringify(row.pictures)}, ${row.type}`;
for (const pictures of [["/mug.png"], []]) {
  const given = JSON.stringify(pictures);
  const { rows: [row] = [] } = await client
    .query("INSERT INTO product VALUES ($1) RETURNING pictures, jsonb_typeof(pictures) AS type", [pictures])
    .catch((error) => ({ rows: [{ pictures: error.message, type: `SQLSTATE ${error.code}` }] }));
  console.log(`pg of ${given}: ${stored(row)}`);
  const [other] = await sql`INSERT INTO product VALUES (${pictures}) RETURNING pictures, jsonb_typeof(pictures) AS type`;
  console.log(`postgres of ${given}: ${stored(other)}`);
}
await client.end();
await sql.end();
END
seen="$(node "$dir/pictures.mjs" "$dir/socket")"
"$bin/postgres" --version
echo "seen: $seen"
[ "$seen" = 'pg of ["/mug.png"]: "invalid input syntax for type json", SQLSTATE 22P02
postgres of ["/mug.png"]: ["/mug.png"], array
pg of []: {}, object
postgres of []: [], array' ]
