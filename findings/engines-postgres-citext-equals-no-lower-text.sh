#!/usr/bin/env bash
# A citext column of PostgreSQL holds 'Mug'. slug = 'mug' finds it; slug = lower('MUG') does not, nor slug = trim($1), slug = ANY($1::text[]), slug IN (SELECT slug FROM redirects) or a join with a text column: citext next to
# text is compared as text, by its capitals. One would guess that the column's type decides, so that lower() around the visitor's word is needless but harmless: it is what makes the search fail.
# An API that finds its product by slug in every test loses it as soon as the word comes from a function, from JSON (->>), from a list with a type or from another table; there is no error.
# Version: PostgreSQL 15 with its extension citext (Debian's packages postgresql and postgresql-contrib) and pg@8.16.3, seen on Node 24.
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
npm install --silent --no-fund --no-audit --prefix "$dir" pg@8.16.3
cat > "$dir/find.cjs" << 'END'
const { Client } = require("pg");
(async () => {
  const db = new Client({ host: process.argv[2], user: "postgres", database: "postgres" });
  await db.connect();
  await db.query("CREATE EXTENSION citext; CREATE TABLE product (slug citext); INSERT INTO product VALUES ('Mug'); CREATE TABLE redirect (slug text); INSERT INTO redirect VALUES ('mug')");
  const ask = async (where, ...values) => console.log(where, "finds", (await db.query(`SELECT slug FROM product WHERE ${where}`, values)).rowCount);
  await ask("slug = $1", "mug");
  await ask("slug = ANY($1)", ["mug"]);
  for (const where of ["slug = lower($1)", "slug = trim($1)", "slug = $1::json->>'slug'"]) await ask(where, where.includes("json") ? '{"slug":"mug"}' : "mug");
  await ask("slug = ANY($1::text[])", ["mug"]);
  await ask("slug IN (SELECT slug FROM redirect)");
  await db.end();
})();
END
seen="$(node "$dir/find.cjs" "$dir/socket")"
"$bin/postgres" --version
echo "seen: $seen"
[ "$(grep -o '[01]$' <<< "$seen" | tr -d '\n')" = 1100000 ]
