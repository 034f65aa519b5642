#!/usr/bin/env bash
# Payload with `trash: true`: a product that an editor moved to the trash is gone from the list of products, and is null in the join field of its category, which still has a place for it; where category.title, of a category in the
# trash, still finds the products whose own category is answered as null. One would guess that what is in the trash is left out everywhere, as the list of products does, and that a filter knows what an answer shows.
# A program that maps a category's products, products.docs.map(({ title }) => title), ends with an error as soon as one of them was deleted.
# Version: payload and @payloadcms/db-sqlite 3.90.2, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts payload@3.90.2 @payloadcms/db-sqlite@3.90.2 > npm.log 2>&1 || { cat npm.log; exit 2; }
cat > run.js <<'JS'
import { sqliteAdapter } from "@payloadcms/db-sqlite";
import { buildConfig, getPayload } from "payload";

const access = { read: () => true };
const title = { name: "title", type: "text" };
const config = buildConfig({
  secret: "invented", telemetry: false,
  db: sqliteAdapter({ client: { url: "file:./shop.db" } }),
  collections: [
    { slug: "users", auth: true, fields: [] },
    { slug: "categories", trash: true, access, fields: [title, { name: "products", type: "join", collection: "products", on: "category" }] },
    { slug: "products", trash: true, access, fields: [title, { name: "category", type: "relationship", relationTo: "categories" }] },
  ],
});
const payload = await getPayload({ config });
const { id: category } = await payload.create({ collection: "categories", data: { title: "Mugs" } });
const mug = await payload.create({ collection: "products", data: { title: "Mug", category } });
await payload.create({ collection: "products", data: { title: "Cup", category } });
const discard = (collection, id) => payload.update({ collection, id, data: { deletedAt: new Date().toISOString() } });
const find = async (where = {}) => (await payload.find({ collection: "products", overrideAccess: false, depth: 1, where })).docs;
await discard("products", mug.id);
console.log("seen: products", JSON.stringify((await find()).map(({ title }) => title)));
const { products } = await payload.findByID({ collection: "categories", id: category, overrideAccess: false, depth: 1 });
console.log("seen: of the category", JSON.stringify(products.docs.map((product) => product && product.title).toSorted()));
await discard("categories", category);
const found = await find({ "category.title": { equals: "Mugs" } });
console.log("seen: by a category in the trash", JSON.stringify(found.map(({ title, category }) => [title, category])));
process.exit(0);
JS
echo "payload $(node -p 'JSON.parse(fs.readFileSync("node_modules/payload/package.json")).version')"
seen=$(node run.js 2>&1 | grep '^seen:')
echo "$seen"
[ "$seen" = 'seen: products ["Cup"]
seen: of the category ["Cup",null]
seen: by a category in the trash [["Cup",null]]' ]
