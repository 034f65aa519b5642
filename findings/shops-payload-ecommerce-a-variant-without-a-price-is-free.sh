#!/usr/bin/env bash
# Payload's ecommerce plugin counts a variant that has no price of its own with 0 in the cart's subtotal, while the product's price is 19.90: two of them cost nothing. A price whose box "enable" is off is in the public answer, and counts.
# One would guess that an empty price of a variant means the product's, or an error, and that a price that is off is neither shown nor asked for: the box only hides the field from the editor.
# A catalog that reads priceInUSD alone publishes prices that the shop has withdrawn, and gives variants for nothing.
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
const shirt = await create("products", {
  title: "Shirt", _status: "published", enableVariants: true, variantTypes: [size.id], priceInUSDEnabled: true, priceInUSD: 1990,
});
const variant = await create("variants", { product: shirt.id, options: [small.id], _status: "published" });
const mug = await create("products", { title: "Mug", _status: "published", priceInUSDEnabled: false, priceInUSD: 900 });
const subtotal = async (item) => (await create("carts", { currency: "USD", items: [item] })).subtotal;
console.log("seen: two shirts", await subtotal({ product: shirt.id, quantity: 2 }));
console.log("seen: two of its variant", await subtotal({ product: shirt.id, variant: variant.id, quantity: 2 }));
const { docs } = await payload.find({ collection: "products", overrideAccess: false, where: { title: { equals: "Mug" } } });
console.log("seen: public", docs[0].priceInUSDEnabled, docs[0].priceInUSD);
console.log("seen: one mug", await subtotal({ product: mug.id, quantity: 1 }));
process.exit(0);
JS
echo "@payloadcms/plugin-ecommerce $(node -p 'JSON.parse(fs.readFileSync("node_modules/@payloadcms/plugin-ecommerce/package.json")).version')"
seen=$(node run.js 2>&1 | grep '^seen:')
echo "$seen"
[ "$seen" = 'seen: two shirts 3980
seen: two of its variant 0
seen: public false 900
seen: one mug 900' ]
