#!/usr/bin/env bash
# MikroORM with a property of type "datetime" in an EntitySchema: find() and then flush(), with nothing changed between, updates that column of every product that was read, with the value it had. With type "Date"
# or p.datetime(), which make the same column, nothing is written. One would guess that two names of one type behave alike, and that an unchanged entity is no change.
# A page that only reads writes the whole list; a watcher of the database's file, its log or a row's trigger sees a change at each request.
# Version: @mikro-orm/sqlite 7.2.2, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @mikro-orm/sqlite@7.2.2 node@24.21.0
export PATH="$dir/node_modules/.bin:$PATH"
cat > run.js <<'JS'
import { EntitySchema, MikroORM } from "@mikro-orm/sqlite";

for (const type of ["datetime", "Date"]) {
  const Product = new EntitySchema({ name: "Product", properties: { id: { type: "number", primary: true }, changed: { type } } });
  const statements = [];
  const orm = await MikroORM.init({ dbName: ":memory:", entities: [Product], debug: ["query"], colors: false, logger: (text) => statements.push(text) });
  await orm.schema.create();
  const writing = orm.em.fork();
  for (const id of [1, 2]) writing.create("Product", { id, changed: new Date("2026-11-28T10:00:00Z") });
  await writing.flush();
  const [{ column }] = await orm.em.getConnection().execute("select type as column from pragma_table_info('product') where name = 'changed'");
  const reading = orm.em.fork();
  await reading.find("Product", {});
  statements.length = 0;
  await reading.flush();
  console.log(`${type}: column ${column},`, statements.filter((statement) => statement.includes("update `product`")).length, "updates");
  await orm.close();
}
JS
seen=$(node run.js)
echo "@mikro-orm/sqlite $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/@mikro-orm/sqlite/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'datetime: column datetime, 1 updates
Date: column datetime, 0 updates' ]
