#!/usr/bin/env bash
# Medusa has a handle for each product and category, the part of the address. A product "50% off" gets 50-off, and a product's handle 50%-off is refused: "It must contain URL safe
# characters". A category "50% off" gets the handle 50%-off from Medusa itself, "What's new?" gets what's-new?, "C#" gets c#, "Kids/Toys" kids/toys: another function makes it, and nothing checks it.
# One would guess one rule for both, or that what a shop calls a handle can stand in an address as it is.
# Links made of it, as /categories/ and the handle, open /categories/c and /categories/what's-new, or are refused for the lone %. Whoever names files or pages by the handle must escape it.
# Version: @medusajs/product 2.21.2 with @medusajs/framework 2.21.2, seen on Node 24 and 20. Its service runs with a store in memory in place of PostgreSQL.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . @medusajs/product@2.21.2 @medusajs/framework@2.21.2 > npm.log 2>&1 || { cat npm.log; exit 2; }
cat > run.cjs <<'JS'
const { ProductModuleService } = require("@medusajs/product/dist/services");
const service = Object.create(ProductModuleService.prototype);
const manager = () => ({});
service.baseRepository_ = { serialize: async (rows) => rows, transaction: async (task) => task({}), getFreshManager: manager, getActiveManager: manager };
service.productCategoryService_ = { create: async (rows) => rows };
async function main() {
  for (const name of ["50% off", "What's new?", "C#", "Kids/Toys"]) {
    const [product] = await service.normalizeCreateProductInput([{ title: name, options: [], variants: [] }], {});
    const { handle } = await service.createProductCategories({ name }, {});
    const { pathname } = new URL(`/categories/${handle}`, "https://shop.example");
    let opens = pathname;
    try { decodeURIComponent(pathname); } catch (error) { opens = error.message; }
    console.log(`seen: ${name}: product ${product.handle}, category ${handle}, opens ${opens}`);
  }
  try { service.validateProductPayload({ title: "50% off", handle: "50%-off" }); } catch (error) { console.log("seen:", error.message); }
}
main().catch((error) => { console.error(error); process.exit(2); });
JS
echo "@medusajs/product $(node -p 'require("./node_modules/@medusajs/product/package.json").version'), Node $(node --version)"
seen=$(node run.cjs 2> run.log | grep '^seen:') || { cat run.log; exit 2; }
echo "$seen"
[ "$seen" = "seen: 50% off: product 50-off, category 50%-off, opens URI malformed
seen: What's new?: product whats-new, category what's-new?, opens /categories/what's-new
seen: C#: product c, category c#, opens /categories/c
seen: Kids/Toys: product kidstoys, category kids/toys, opens /categories/kids/toys
seen: Invalid product handle '50%-off'. It must contain URL safe characters" ]
