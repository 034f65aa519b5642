#!/usr/bin/env bash
# Vendure makes slugs unique: a second product "Mug" that its service creates gets "mug-2". Its import from a table, made for whole catalogs, does not look: two products "Mug" get the slug "mug" both,
# without an error. One would guess that one rule holds for both ways, or that the database has an index that says so.
# The Shop API lists all of them and finds the first by the slug: the page of the second shows the first. A catalog whose files are named by the slug has one file for two products.
# Version: @vendure/core 3.7.3 with sql.js 1.13.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --no-audit --no-fund --silent --ignore-scripts --legacy-peer-deps @vendure/core@3.7.3 sql.js@1.13.0 > npm.log 2>&1 || { cat npm.log; exit 2; }
PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'); export PORT
cat > run.js <<'JS'
const { writeFileSync } = require("node:fs");
const vendure = require("@vendure/core");
const { importProductsFromCsv, populateInitialData } = require("@vendure/core/cli");
const port = Number(process.env.PORT);
async function main() {
  const app = await vendure.bootstrap({
    apiOptions: { port, hostname: "127.0.0.1", shopApiPath: "shop-api" },
    authOptions: { superadminCredentials: { identifier: "admin", password: "invented" } },
    logger: new vendure.DefaultLogger({ level: vendure.LogLevel.Error }),
    dbConnectionOptions: { type: "sqljs", synchronize: true, logging: false },
    importExportOptions: { importAssetsDir: __dirname },
    paymentOptions: { paymentMethodHandlers: [vendure.dummyPaymentHandler] },
  });
  await populateInitialData(app, {
    defaultLanguage: "en", defaultZone: "Europe", taxRates: [{ name: "Standard", percentage: 20 }], shippingMethods: [],
    paymentMethods: [], collections: [], countries: [{ name: "Germany", code: "DE", zone: "Europe" }],
  });
  writeFileSync("mugs.csv", `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Mug,,Blue,,,,,B,19.90,Standard,1,,,
Mug,,Red,,,,,R,21.90,Standard,1,,,`);
  const { errors, imported } = await importProductsFromCsv(app, `${__dirname}/mugs.csv`, "en");
  const context = await app.get(vendure.RequestContextService).create({ apiType: "admin" });
  const byHand = (description) => app.get(vendure.ProductService).create(context, { translations: [{ languageCode: "en", name: "Cup", slug: "cup", description }] });
  await byHand("Blue");
  await byHand("Red");
  const query = '{ products { items { slug description } } product(slug: "mug") { description } }';
  const answer = await fetch(`http://127.0.0.1:${port}/shop-api`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ query }) });
  const { products, product } = (await answer.json()).data;
  console.log(`seen: imported ${imported}, errors ${errors.length}`);
  console.log("seen: all:", products.items.map(({ slug, description }) => `${slug} ${description}`).join(", "), "- mug is", product.description);
  process.exit(0);
}
main().catch((error) => { console.error(error); process.exit(2); });
JS
echo "@vendure/core $(node -p 'require("./node_modules/@vendure/core/package.json").version'), Node $(node --version)"
seen=$(node run.js 2> run.log | grep '^seen:') || { cat run.log; exit 2; }
echo "$seen"
[ "$seen" = 'seen: imported 2, errors 0
seen: all: mug Blue, mug Red, cup Blue, cup-2 Red - mug is Blue' ]
