#!/usr/bin/env bash
# Kysely's ParseJSONResultsPlugin, which SQLite needs for related rows as JSON, parses whatever text looks like a list or an object, of any column: a product titled "[3]" has the list [3]
# as its title, one named "{}" an object; "2026" and "true" stay texts. One would guess that it parses the columns that are JSON. One product of many breaks the
# page, or, with a CamelCasePlugin behind it, has the keys of its JSON renamed too, which the other order of the two leaves alone.
# Version: kysely 0.29.9 with better-sqlite3 13.2.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund kysely@0.29.9 better-sqlite3@13.2.0 node@24.21.0
cat > run.js <<'JS'
import Database from "better-sqlite3";
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, SqliteDialect } from "kysely";

const database = new Database(":memory:");
database.exec(`create table product (title text, data text); insert into product values ('[3]', '{"unit_price":1}'), ('2026', '{}'), ('[3] pack', '[]')`);
const rows = (...plugins) => new Kysely({ dialect: new SqliteDialect({ database }), plugins }).selectFrom("product").selectAll().execute();
console.log(JSON.stringify((await rows(new ParseJSONResultsPlugin())).map((row) => row.title)));
console.log(JSON.stringify((await rows(new ParseJSONResultsPlugin(), new CamelCasePlugin()))[0].data));
console.log(JSON.stringify((await rows(new CamelCasePlugin(), new ParseJSONResultsPlugin()))[0].data));
JS
export PATH="$dir/node_modules/.bin:$PATH"
seen=$(node run.js)
echo "kysely $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/kysely/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '[[3],"2026","[3] pack"]
{"unitPrice":1}
{"unit_price":1}' ]
