#!/usr/bin/env bash
# Payload's "contains" and "like" hand the visitor's text to the database's LIKE as it is: contains "50%" finds "500 g", "a_b" finds "axb", and contains "%" everything. One would guess that an operator of
# a JSON API which is called "contains" looks for the text. Django REST framework, for one, escapes it.
# Shops' titles have such signs: "100% cotton", "50% off", part numbers with an underscore. A search link from a catalog finds more than it names.
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
  collections: [{ slug: "products", fields: [{ name: "title", type: "text" }] }],
});
const payload = await getPayload({ config });
for (const title of ["50% off", "500 g", "part a_b", "part axb"]) await payload.create({ collection: "products", data: { title } });
for (const [operator, text] of [["contains", "50%"], ["contains", "a_b"], ["like", "a_b"], ["contains", "%"]]) {
  const { docs } = await payload.find({ collection: "products", where: { title: { [operator]: text } }, sort: "id" });
  console.log("seen:", operator, text, "finds", docs.map(({ title }) => title).join(", "));
}
process.exit(0);
JS
echo "payload $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/payload/package.json")).version')"
seen=$(node run.js 2>&1 | grep '^seen:')
echo "$seen"
[ "$seen" = 'seen: contains 50% finds 50% off, 500 g
seen: contains a_b finds part a_b, part axb
seen: like a_b finds part a_b, part axb
seen: contains % finds 50% off, 500 g, part a_b, part axb' ]
