#!/usr/bin/env bash
# Payload's own plugin exports a field sale_price as a column sale_price, and its import takes the underscore for a step into a group: it looks for "price" in "sale", finds no such field and saves nothing of it. An update of the sale price from 15 to 12
# leaves 15; a new product has none. "completed", 1 updated, 0 issues, and the field price beside it is saved.
# One would guess that the import asks the collection, which has a field of this name, as it does for blocks and relations; or says that a column fits no field. Names with underscores are valid, and what many databases have.
# Price lists are changed in spreadsheets: after such an import half of the prices are new, and a sale that ended there goes on in the catalog.
# Version: @payloadcms/plugin-import-export, payload and @payloadcms/db-sqlite 3.90.2, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps payload@3.90.2 @payloadcms/db-sqlite@3.90.2 @payloadcms/plugin-import-export@3.90.2 > npm.log 2>&1 || { cat npm.log; exit 2; }
cat > run.js <<'JS'
import { readFileSync } from "node:fs";
import { sqliteAdapter } from "@payloadcms/db-sqlite";
import { importExportPlugin } from "@payloadcms/plugin-import-export";
import { buildConfig, getPayload } from "payload";

const atOnce = { disableJobsQueue: true };
const config = buildConfig({
  secret: "invented", telemetry: false,
  db: sqliteAdapter({ client: { url: "file:./shop.db" } }),
  plugins: [importExportPlugin({ collections: [{ slug: "products", export: atOnce, import: atOnce }] })],
  collections: [
    { slug: "users", auth: true, fields: [] },
    { slug: "products", fields: [{ name: "slug", type: "text" }, ...["price", "sale_price"].map((name) => ({ name, type: "number" }))] },
  ],
});
const payload = await getPayload({ config });
const user = { ...(await payload.create({ collection: "users", data: { email: "a@example.com", password: "invented" } })), collection: "users" };
await payload.create({ collection: "products", data: { slug: "mug", price: 20, sale_price: 15 } });
const { filename } = await payload.create({ collection: "exports", data: { collectionSlug: "products", format: "csv" }, user });
const exported = readFileSync(`exports/${filename}`, "utf8");
console.log("seen: exported:", exported.split("\n")[0].match(/slug.*price/)[0], exported.match(/mug,\d+,\d+/)[0]);
const tables = { update: exported.replace("mug,20,15", "mug,18,12"), create: "slug,price,sale_price\ncup,9,7\n" };
for (const [importMode, table] of Object.entries(tables)) {
  const data = Buffer.from(table);
  const file = { data, mimetype: "text/csv", name: "products.csv", size: data.length };
  const { status, summary } = await payload.create({ collection: "imports", data: { collectionSlug: "products", importMode, matchField: "slug" }, file, user });
  const [{ slug, price, sale_price }] = (await payload.find({ collection: "products", sort: "-id" })).docs;
  console.log(`seen: ${importMode}: ${status}, ${summary.issues} issues:`, slug, price, sale_price);
}
process.exit(0);
JS
echo "@payloadcms/plugin-import-export $(node -p 'JSON.parse(fs.readFileSync("node_modules/@payloadcms/plugin-import-export/package.json")).version')"
seen=$(node run.js 2>&1 | grep '^seen:')
echo "$seen"
[ "$seen" = 'seen: exported: slug,price,sale_price mug,20,15
seen: update: completed, 0 issues: mug 18 15
seen: create: completed, 0 issues: cup 9 null' ]
