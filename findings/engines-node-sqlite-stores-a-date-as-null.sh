#!/usr/bin/env bash
# node:sqlite stores NULL for a Date that is the first value of a statement: run(new Date()) of INSERT … VALUES (?) succeeds and the time is gone, because a first object is taken for named parameters and a Date has none.
# In the second place the same Date is an error. One would guess an error for both, as better-sqlite3 and sql.js give, or a text. And sql.js stores the list of tags ["Red"] as one zero byte: any list is bytes to it.
# A column such as published_at or sale_ends_at is empty then, which means "not published" or "for ever", without a word.
# Version: node:sqlite of node@24.11.1, and sql.js@1.13.0.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" node@24.11.1 sql.js@1.13.0
cat > "$dir/values.cjs" << 'END'
const { DatabaseSync } = require("node:sqlite");
const moment = new Date("2026-11-20T19:00:00Z");
const store = new DatabaseSync(":memory:");
store.exec("CREATE TABLE sale (ends_at TEXT, name TEXT)");
store.prepare("INSERT INTO sale (ends_at) VALUES (?)").run(moment);
console.log("first:", store.prepare("SELECT typeof(ends_at) AS kind FROM sale").get().kind);
try {
  store.prepare("INSERT INTO sale (name, ends_at) VALUES (?, ?)").run("Autumn", moment);
} catch (error) {
  console.log("second:", error.message);
}
require("sql.js")().then(({ Database }) => {
  const tags = new Database();
  tags.run("CREATE TABLE tag (name TEXT)");
  tags.run("INSERT INTO tag VALUES (?)", [["Red"]]);
  console.log("sql.js:", tags.exec("SELECT typeof(name), hex(name) FROM tag")[0].values.join());
});
END
seen="$("$dir/node_modules/.bin/node" "$dir/values.cjs" 2> /dev/null)"
echo "Node $("$dir/node_modules/.bin/node" --version), sql.js $(node -p "JSON.parse(fs.readFileSync('$dir/node_modules/sql.js/package.json')).version")"
echo "seen: $seen"
[ "$seen" = 'first: null
second: Provided value cannot be bound to SQLite parameter 2.
sql.js: blob,00' ]
