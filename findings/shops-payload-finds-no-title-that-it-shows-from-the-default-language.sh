#!/usr/bin/env bash
# Payload with two languages and its default fallback: a list in German shows "Mug", the English title, where a product has no German one, but where title equals "Mug" finds nothing in German, nor does like; sort=title puts
# all such products in front of those that have one. One would guess that a title that is shown can be searched and is sorted as it reads, as COALESCE(german, english) would do it.
# A shop that is translated bit by bit shows products in its lists that its own search, filters and A-to-Z order do not have.
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
  localization: { locales: ["en", "de"], defaultLocale: "en", fallback: true },
  db: sqliteAdapter({ client: { url: "file:./shop.db" } }),
  collections: [
    { slug: "users", auth: true, fields: [] },
    { slug: "products", access: { read: () => true }, fields: [{ name: "title", type: "text", localized: true }] },
  ],
});
const payload = await getPayload({ config });
const collection = "products";
for (const title of ["Mug", "Saucer", "Cup"]) {
  const { id } = await payload.create({ collection, data: { title } });
  if (title === "Cup") await payload.update({ collection, id, locale: "de", data: { title: "Becher" } });
}
const titles = async (args) => (await payload.find({ collection, overrideAccess: false, ...args })).docs.map(({ title }) => title).join(", ") || "nothing";
for (const locale of ["en", "de"]) {
  console.log(`seen: ${locale} sorted by title: ${await titles({ locale, sort: "title" })}`);
  console.log(`seen: ${locale} equals Mug: ${await titles({ locale, where: { title: { equals: "Mug" } } })}`);
  console.log(`seen: ${locale} like auc: ${await titles({ locale, where: { title: { like: "auc" } } })}`);
}
process.exit(0);
JS
echo "payload $(node -p 'JSON.parse(fs.readFileSync("node_modules/payload/package.json")).version')"
seen=$(node run.js 2>&1 | grep '^seen:')
# Those without a German title are in any order.
echo "$seen"
[ "$(sed -E 's/Saucer, Mug, Becher|Mug, Saucer, Becher/both, then Becher/' <<< "$seen")" = 'seen: en sorted by title: Cup, Mug, Saucer
seen: en equals Mug: Mug
seen: en like auc: Saucer
seen: de sorted by title: both, then Becher
seen: de equals Mug: nothing
seen: de like auc: nothing' ]
