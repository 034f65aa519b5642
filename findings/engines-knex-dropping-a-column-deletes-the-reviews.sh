#!/usr/bin/env bash
# Knex on SQLite: a migration that drops a column of the products deletes all reviews, which refer to them with ON DELETE CASCADE, and the trigger that keeps a product's time; it is counted as done, without a message. Outside a
# migration the same call keeps the reviews and still loses the trigger. One would guess that only the column goes, as with SQLite's own ALTER TABLE … DROP COLUMN, which keeps both.
# Knex makes a new table and drops the old one, which counts as deleting its rows; it turns foreign keys off before, but migrations run in a transaction, in which SQLite ignores that. setNullable, dropNullable and alter do the same.
# A shop that tidies a table loses its ratings; a search index or a watcher that a trigger tells of changes hears of none from then on.
# Version: knex@3.3.0 with better-sqlite3@13.2.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" knex@3.3.0 better-sqlite3@13.2.0 node@24.21.0
export PATH="$dir/node_modules/.bin:$PATH"
cat > "$dir/drop.cjs" << 'END'
const knex = require("knex");
const dropNote = (db) => db.schema.alterTable("product", (table) => table.dropColumn("note"));
const migrationSource = {
  getMigrations: async () => ["without-note"],
  getMigrationName: (name) => name,
  getMigration: async () => ({ up: dropNote, down: async () => {} }),
};
const ways = {
  "a migration": (db) => db.migrate.latest({ migrationSource }),
  "a call": dropNote,
  "SQL": (db) => db.raw("ALTER TABLE product DROP COLUMN note"),
};
(async () => {
  for (const [way, drop] of Object.entries(ways)) {
    const db = knex({ client: "better-sqlite3", connection: { filename: ":memory:" }, useNullAsDefault: true });
    await db.raw("CREATE TABLE product (id INTEGER PRIMARY KEY, slug TEXT, note TEXT, changed TEXT)");
    await db.raw("CREATE TABLE review (id INTEGER PRIMARY KEY, product_id INTEGER REFERENCES product ON DELETE CASCADE, rating INTEGER)");
    await db.raw("CREATE TRIGGER dated AFTER UPDATE OF slug ON product BEGIN UPDATE product SET changed = 'now' WHERE id = new.id; END");
    await db.raw("INSERT INTO product (id, slug) VALUES (1, 'mug'), (2, 'cup')");
    await db.raw("INSERT INTO review (product_id, rating) VALUES (1, 5), (1, 4), (2, 5)");
    await drop(db);
    const count = async (table, where = {}) => (await db(table).where(where).count("* AS n"))[0].n;
    console.log(`${way}: products ${await count("product")}, reviews ${await count("review")}, triggers ${await count("sqlite_schema", { type: "trigger" })}`);
    await db.destroy();
  }
})();
END
seen="$(node "$dir/drop.cjs")"
echo "knex $(node -p "require('$dir/node_modules/knex/package.json').version")"
echo "seen: $seen"
[ "$seen" = "a migration: products 2, reviews 0, triggers 0
a call: products 2, reviews 3, triggers 0
SQL: products 2, reviews 3, triggers 1" ]
