#!/usr/bin/env bash
# Payload's own plugin exports products into a table and imports it again. A text field with the version "1.10" comes back as "1.1", the article number "4.0" as "4" and "12.50" as "12.5": its reader makes numbers of cells before it knows their fields,
# and leaves leading zeros alone ("00123" stays), but not digits behind a point. The database then writes the shorter number as a text. "completed", no issue.
# One would guess that the import knows the fields that the export came from, since it has the collection, and that a table which nobody touched changes nothing.
# After "export, correct a title, import", updates of the catalog are compared with another version, and 1.10 is 1.1.
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
    { slug: "products", fields: ["slug", "version", "sku"].map((name) => ({ name, type: "text" })) },
  ],
});
const payload = await getPayload({ config });
const user = { ...(await payload.create({ collection: "users", data: { email: "a@example.com", password: "invented" } })), collection: "users" };
const products = [["kit", "1.10", "00123"], ["mug", "4.0", "12.50"]];
for (const [slug, version, sku] of products) await payload.create({ collection: "products", data: { slug, version, sku } });
async function show(when) {
  const { docs } = await payload.find({ collection: "products", sort: "id" });
  console.log(`seen: ${when}:`, docs.map(({ slug, version, sku }) => JSON.stringify([slug, version, sku])).join(" "));
}
await show("before");
const { filename } = await payload.create({ collection: "exports", data: { collectionSlug: "products", format: "csv" }, user });
const data = readFileSync(`exports/${filename}`);
const file = { data, mimetype: "text/csv", name: "products.csv", size: data.length };
const { status, summary } = await payload.create({ collection: "imports", data: { collectionSlug: "products", importMode: "update", matchField: "slug" }, file, user });
await show(`${status}, ${summary.updated} updated, ${summary.issues} issues`);
process.exit(0);
JS
echo "@payloadcms/plugin-import-export $(node -p 'JSON.parse(fs.readFileSync("node_modules/@payloadcms/plugin-import-export/package.json")).version')"
seen=$(node run.js 2>&1 | grep '^seen:')
echo "$seen"
[ "$seen" = 'seen: before: ["kit","1.10","00123"] ["mug","4.0","12.50"]
seen: completed, 2 updated, 0 issues: ["kit","1.1","00123"] ["mug","4","12.5"]' ]
