#!/usr/bin/env bash
# Knex on SQLite: table.timestamps(true, true) makes created_at. What the default fills in is the text "2026-11-29 11:56:26"; what a program gives as a Date is the integer 1767225600000, milliseconds. One would guess one form
# for one column, since Knex writes both the table and the value. Text is above every number, so WHERE created_at > a Date of the year 2100 finds the product of today, and by date all imported products come before or after all others.
# Strapi, Directus, Objection and Bookshelf write their SQLite tables through Knex: whoever reads such a shop by SQL may meet both forms. On PostgreSQL and MariaDB the column has one.
# Version: knex@3.3.0 with better-sqlite3@13.2.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" knex@3.3.0 better-sqlite3@13.2.0
cat > "$dir/times.cjs" << 'END'
const db = require("knex")({ client: "better-sqlite3", connection: { filename: ":memory:" }, useNullAsDefault: true });
(async () => {
  await db.schema.createTable("product", (table) => {
    table.string("slug");
    table.timestamps(true, true);
  });
  await db("product").insert({ slug: "made-now" });
  await db("product").insert({ slug: "imported", created_at: new Date("2026-01-01T00:00:00Z") });
  const rows = await db.raw("SELECT slug, typeof(created_at) AS kind, created_at FROM product ORDER BY slug");
  for (const { slug, kind, created_at } of rows) console.log(slug, kind, kind === "text" ? created_at.replace(/\d/g, "0") : created_at);
  const later = await db("product").where("created_at", ">", new Date("2100-01-01T00:00:00Z")).select("slug");
  console.log("after 2100:", later.map(({ slug }) => slug).join());
  await db.destroy();
})();
END
seen="$(node "$dir/times.cjs")"
echo "knex $(node -p "require('$dir/node_modules/knex/package.json').version"), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = "imported integer 1767225600000
made-now text 0000-00-00 00:00:00
after 2100: made-now" ]
