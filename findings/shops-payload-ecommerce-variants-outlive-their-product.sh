#!/usr/bin/env bash
# In Payload's ecommerce plugin the variants of a product that was put into the trash, or back to draft, stay in the public list of variants with their prices, and those of a renamed product keep the old name: "Shirt — S" of what is
# called T-Shirt. One would guess that a variant is public while its product is, and that its name, which the plugin makes from the product's, follows it.
# A catalog that reads variants, or a search that indexes them, goes on selling what the shop has withdrawn: the product's own state must be asked for.
# Version: payload, @payloadcms/db-sqlite and @payloadcms/plugin-ecommerce 3.90.2, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts payload@3.90.2 @payloadcms/db-sqlite@3.90.2 @payloadcms/plugin-ecommerce@3.90.2 > npm.log 2>&1 || { cat npm.log; exit 2; }
cat > run.js <<'JS'
import { sqliteAdapter } from "@payloadcms/db-sqlite";
import { ecommercePlugin } from "@payloadcms/plugin-ecommerce";
import { buildConfig, getPayload } from "payload";

const isAdmin = ({ req: { user } }) => Boolean(user);
const title = { name: "title", type: "text" };
const config = buildConfig({
  secret: "invented", telemetry: false,
  db: sqliteAdapter({ client: { url: "file:./shop.db" } }),
  collections: [{ slug: "users", auth: true, fields: [] }],
  plugins: [ecommercePlugin({
    access: {
      isAdmin, isAuthenticated: isAdmin, isCustomer: isAdmin, isDocumentOwner: isAdmin,
      adminOnlyFieldAccess: isAdmin, customerOnlyFieldAccess: isAdmin,
      adminOrPublishedStatus: ({ req: { user } }) => (user ? true : { _status: { equals: "published" } }),
    },
    customers: { slug: "users" },
    products: {
      variants: true,
      productsCollectionOverride: ({ defaultCollection: own }) => ({ ...own, fields: [...own.fields, title] }),
    },
  })],
});
const payload = await getPayload({ config });
const create = (collection, data) => payload.create({ collection, data });
const size = await create("variantTypes", { label: "Size", name: "size" });
const small = await create("variantOptions", { label: "S", value: "s", variantType: size.id });
const product = { _status: "published", enableVariants: true, variantTypes: [size.id], priceInUSDEnabled: true, priceInUSD: 1990 };
for (const name of ["Shirt", "Cap", "Scarf"]) {
  const { id } = await create("products", { ...product, title: name });
  await create("variants", { product: id, options: [small.id], _status: "published", priceInUSDEnabled: true, priceInUSD: 1790 });
  const change = { Shirt: { title: "T-Shirt" }, Cap: { deletedAt: new Date().toISOString() }, Scarf: { _status: "draft" } }[name];
  await payload.update({ collection: "products", id, data: change });
}
for (const collection of ["products", "variants"]) {
  const { docs } = await payload.find({ collection, overrideAccess: false, depth: 0, sort: "id" });
  console.log("seen:", collection, docs.map((doc) => `${doc.title} ${doc.priceInUSD}`).join(", "));
}
process.exit(0);
JS
echo "@payloadcms/plugin-ecommerce $(node -p 'JSON.parse(fs.readFileSync("node_modules/@payloadcms/plugin-ecommerce/package.json")).version')"
seen=$(node run.js 2>&1 | grep '^seen:')
echo "$seen"
[ "$seen" = 'seen: products T-Shirt 1990
seen: variants Shirt — S 1790, Cap — S 1790, Scarf — S 1790' ]
