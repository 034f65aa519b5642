#!/usr/bin/env bash
# Payload on SQLite: a product in the categories Books and Sale is in the list "categories not_in [Sale]", and in "not_equals Sale". Of a select field with several values, not_in does
# the same and loses all products that have no value at all, which not_equals gives; so does not_in of a number: price not_in [5] loses what has no price.
# One would guess that both say "has none of these", and that not_in of one value is not_equals.
# "All but what is for adults" then shows what is for adults and anything else, while products without a tag vanish, in a total that agrees with the list.
# Version: payload 3.90.2 with @payloadcms/db-sqlite 3.90.2, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund payload@3.90.2 @payloadcms/db-sqlite@3.90.2 > npm.log 2>&1 || { cat npm.log; exit 2; }
cat > run.js <<'JS'
import { sqliteAdapter } from "@payloadcms/db-sqlite";
import { buildConfig, getPayload } from "payload";

const config = buildConfig({
  secret: "invented", telemetry: false,
  db: sqliteAdapter({ client: { url: "file:./shop.db" } }),
  collections: [
    { slug: "categories", fields: [{ name: "name", type: "text" }] },
    {
      slug: "products",
      fields: [
        { name: "title", type: "text" },
        { name: "price", type: "number" },
        { name: "tags", type: "select", hasMany: true, options: ["adult", "gift"] },
        { name: "categories", type: "relationship", relationTo: "categories", hasMany: true },
      ],
    },
  ],
});
const payload = await getPayload({ config });
const category = (name) => payload.create({ collection: "categories", data: { name } });
const [books, sale] = [await category("Books"), await category("Sale")];
const add = (title, data) => payload.create({ collection: "products", data: { title, ...data } });
await add("both", { price: 5, tags: ["adult", "gift"], categories: [books.id, sale.id] });
await add("one", { price: 5, tags: ["adult"], categories: [sale.id] });
await add("none", {});
for (const where of [
  { categories: { not_in: [sale.id] } }, { categories: { not_equals: sale.id } }, { tags: { not_in: ["adult"] } }, { tags: { not_equals: "adult" } },
  { price: { not_in: [5] } }, { price: { not_equals: 5 } },
]) {
  const { docs, totalDocs } = await payload.find({ collection: "products", where, sort: "id" });
  const [[field, [[operator]]]] = Object.entries(where).map(([field, operators]) => [field, Object.entries(operators)]);
  console.log("seen:", field, operator, docs.map(({ title }) => title).join(",") || "(nothing)", totalDocs);
}
process.exit(0);
JS
echo "payload $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/payload/package.json")).version')"
seen=$(node run.js 2>&1 | grep '^seen:')
echo "$seen"
[ "$seen" = 'seen: categories not_in both,none 2
seen: categories not_equals both,none 2
seen: tags not_in both 1
seen: tags not_equals both,none 2
seen: price not_in (nothing) 0
seen: price not_equals none 1' ]
