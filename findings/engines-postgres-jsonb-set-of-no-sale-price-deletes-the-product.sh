#!/usr/bin/env bash
# UPDATE product SET data = jsonb_set(data, '{sale}', to_jsonb(sale_price)) copies a column into PostgreSQL's JSON. For a product without a sale price one would guess "sale": null, as JSON_SET of MariaDB and json_set of SQLite write it.
# PostgreSQL makes the whole document NULL: title, slug and price are gone, without an error. jsonb_set_lax, which exists for this, writes the null.
# The products that are on sale look right. All others lose their record at the first such import, and a catalog leaves them out or shows them empty.
# Version: @electric-sql/pglite@0.5.17 (PostgreSQL 18 in the process) and Node's SQLite, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" node@24.21.0 @electric-sql/pglite@0.5.17
cat > "$dir/sale.mjs" << 'END'
import { DatabaseSync } from "node:sqlite";
import { PGlite } from "@electric-sql/pglite";
const shop = `CREATE TABLE product (data jsonb, sale_price text);
  INSERT INTO product VALUES ('{"title":"Mug","price":"9.90"}', '5.00'), ('{"title":"Cap","price":"9.90"}', NULL)`;
const postgres = await PGlite.create();
await postgres.exec(shop);
console.error((await postgres.query("SELECT version()")).rows[0].version.slice(0, 16));
const sqlite = new DatabaseSync(":memory:");
sqlite.exec(shop);
sqlite.exec("UPDATE product SET data = json_set(data, '$.sale', sale_price)");
console.log("SQLite:", sqlite.prepare("SELECT data FROM product").all().map(({ data }) => data).join(" "));
for (const name of ["jsonb_set", "jsonb_set_lax"]) {
  const set = `SELECT ${name}(data, '{sale}', to_jsonb(sale_price)) AS data FROM product`;
  console.log(`${name}:`, (await postgres.query(set)).rows.map(({ data }) => JSON.stringify(data)).join(" "));
}
END
seen="$("$dir/node_modules/.bin/node" "$dir/sale.mjs" 2> "$dir/version")"
cat "$dir/version"; echo "seen: $seen"
[ "$seen" = 'SQLite: {"title":"Mug","price":"9.90","sale":"5.00"} {"title":"Cap","price":"9.90","sale":null}
jsonb_set: {"sale":"5.00","price":"9.90","title":"Mug"} null
jsonb_set_lax: {"sale":"5.00","price":"9.90","title":"Mug"} {"sale":null,"price":"9.90","title":"Cap"}' ]
