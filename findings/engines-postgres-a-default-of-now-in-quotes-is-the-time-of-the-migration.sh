#!/usr/bin/env bash
# A migration of node-pg-migrate with default: "now()", or of Knex with defaultTo("now()"), makes a column of PostgreSQL whose default is one moment for ever, that of the migration: the tools put the word in quotes, and PostgreSQL reads 'now()',
# brackets and all, as a time when the table is made. There is no error, and the first rows look right; pgm.func("now()") and knex.fn.now() mean the function.
# One would guess that a tool knows the function, or that the text 'now()' is no time and is refused, as 'clock_timestamp()' is.
# All products that are ever added have the same created_at: a catalog's "new" list is in no order, feeds have one date, and what asks for products made since yesterday finds none.
# Version: node-pg-migrate@9.0.0, knex@3.3.0 and pg@8.23.1 with PostgreSQL 15 (Debian's package postgresql), seen on Node 24.
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
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node-pg-migrate@9.0.0 knex@3.3.0 pg@8.23.1 node@24.21.0
export PATH="$dir/node_modules/.bin:$PATH"
mkdir migrations
cat > migrations/1_product.js <<'JS'
export const up = (pgm) => pgm.createTable("by_migrate", {
  slug: "text", words: { type: "timestamptz", default: "now()" }, func: { type: "timestamptz", default: pgm.func("now()") },
});
JS
cat > run.js <<'JS'
import knex from "knex";
import { runner } from "node-pg-migrate";
import pg from "pg";

const place = { host: process.argv[2], user: "postgres", database: "postgres" };
const client = new pg.Client(place);
await client.connect();
const quiet = () => {};
const refused = async (text) => {
  try {
    await client.query(`CREATE TEMP TABLE t (at timestamptz DEFAULT '${text}')`);
  } catch (error) {
    console.log("seen:", error.message);
  }
};
await runner({ dbClient: client, dir: "migrations", direction: "up", migrationsTable: "done", log: quiet, logger: { info: quiet, warn: quiet, error: quiet, debug: quiet } });
const db = knex({ client: "pg", connection: place });
await db.schema.createTable("by_knex", (table) => {
  table.text("slug");
  table.timestamp("words").defaultTo("now()");
  table.timestamp("func").defaultTo(db.fn.now());
});
for (const table of ["by_migrate", "by_knex"]) {
  for (const slug of ["mug", "cup"]) {
    await db(table).insert({ slug });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { rows } = await client.query(`SELECT count(DISTINCT words)::int AS words, count(DISTINCT func)::int AS func FROM ${table}`);
  console.log(`seen: ${table}, times of two products: ${rows[0].words} by the words, ${rows[0].func} by the function`);
}
await refused("clock_timestamp()");
await db.destroy();
await client.end();
JS
seen=$(node run.js "$dir/socket" | grep '^seen')
"$bin/postgres" --version
echo "$seen"
[ "$seen" = 'seen: by_migrate, times of two products: 1 by the words, 2 by the function
seen: by_knex, times of two products: 1 by the words, 2 by the function
seen: invalid input syntax for type timestamp with time zone: "clock_timestamp()"' ]
