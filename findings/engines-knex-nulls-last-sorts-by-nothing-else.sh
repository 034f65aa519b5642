#!/usr/bin/env bash
# orderBy([{ column: "price", order: "desc", nulls: "last" }]) of Knex is guessed to sort by price from the highest, and to put what has no price at the end, in all databases. In PostgreSQL it does. For SQLite and MySQL it writes
# ORDER BY (`price` is null) desc: the price itself is not in it, and what has none comes first. With "asc" the ends are right and the prices between them are in the order of the table. There is no error and no warning.
# A list that was tried with PostgreSQL shows products in no order once it runs in SQLite (tests) or MySQL, and pages by OFFSET may repeat or lose some of them.
# Version: knex@3.3.0, better-sqlite3@13.2.0, seen on Node 24.21.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" knex@3.3.0 better-sqlite3@13.2.0 node@24.21.0 > /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
cat > "$dir/run.cjs" <<'JS'
const Knex = require("knex");
const db = Knex({ client: "better-sqlite3", connection: { filename: ":memory:" }, useNullAsDefault: true });
const by = (order) => [{ column: "price", order, nulls: "last" }];
(async () => {
  await db.schema.createTable("product", (table) => table.float("price"));
  await db("product").insert([{ price: 5 }, { price: null }, { price: 19.9 }, { price: 10 }]);
  for (const order of ["asc", "desc"])
    console.log(`SQLite, ${order}: ${JSON.stringify(await db("product").orderBy(by(order)).pluck("price"))}`);
  for (const client of ["pg", "better-sqlite3", "mysql2"])
    console.log(`${client}: ${Knex({ client, useNullAsDefault: true })("product").orderBy(by("desc")).toString().replace(/.* order by/, "order by")}`);
  await db.destroy();
})();
JS
seen=$(node "$dir/run.cjs")
echo "knex 3.3.0, better-sqlite3 13.2.0, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'SQLite, asc: [5,19.9,10,null]
SQLite, desc: [null,5,19.9,10]
pg: order by "price" desc nulls last
better-sqlite3: order by (`price` is null) desc
mysql2: order by (`price` is null) desc' ]
