#!/usr/bin/env bash
# A number field of Payload takes the text "19,90" for 19, "1,990.00" for 1 and "24.90 / 12.90" for 24.9: it reads a text up to the first sign that is no digit, saves that, and answers with success; "EUR 19.90" is refused, and so is "none".
# One would guess that a text is refused where a number is wanted, or read as a whole: the field's min and max see the shortened number only.
# Imports and forms send texts. A price list of a spreadsheet with commas is imported without an error, and the catalog sells for 1 what costs 1,990.
# Version: payload and @payloadcms/db-sqlite 3.90.2, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts payload@3.90.2 @payloadcms/db-sqlite@3.90.2 > npm.log 2>&1 || { cat npm.log; exit 2; }
cat > run.js <<'JS'
import { sqliteAdapter } from "@payloadcms/db-sqlite";
import { buildConfig, getPayload } from "payload";

const config = buildConfig({
  secret: "invented", telemetry: false,
  db: sqliteAdapter({ client: { url: "file:./shop.db" } }),
  collections: [
    { slug: "users", auth: true, fields: [] },
    { slug: "products", fields: [{ name: "price", type: "number", required: true, min: 1, max: 5000 }] },
  ],
});
const payload = await getPayload({ config });
for (const price of ["19.90", "19,90", "1,990.00", "24.90 / 12.90", "EUR 19.90", "none"]) {
  const saved = await payload.create({ collection: "products", data: { price } }).catch(() => null);
  console.log(`seen: ${price} is ${saved === null ? "refused" : saved.price}`);
}
process.exit(0);
JS
echo "payload $(node -p 'JSON.parse(fs.readFileSync("node_modules/payload/package.json")).version')"
seen=$(node run.js 2>&1 | grep '^seen:')
echo "$seen"
[ "$seen" = 'seen: 19.90 is 19.9
seen: 19,90 is 19
seen: 1,990.00 is 1
seen: 24.90 / 12.90 is 24.9
seen: EUR 19.90 is refused
seen: none is refused' ]
