#!/usr/bin/env bash
# Vendure's import from a table has facets as "name:value" in one cell. It splits at each colon and takes the first two parts: "Ratio:16:9" and "Ratio:16:10" become the ratio "16" both, one value for two screens, without an error. A colon in the values of
# options stays. One would guess that the first colon ends the name, as it does for the groups of options in the same parser, or a message about the third part.
# A filter of the catalog then has one entry for what differs, and finds both; and so with times (Start:18:30), scales (Scale:1:87) and addresses.
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
  writeFileSync("screens.csv", `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Wide,,,,Ratio:16:9,Format,16:9,W,100,Standard,1,,,
Tall,,,,Ratio:16:10,Format,16:10,T,100,Standard,1,,,`);
  const { errors, imported } = await importProductsFromCsv(app, `${__dirname}/screens.csv`, "en");
  const query = "{ products { items { name facetValues { id name } variants { options { name } } } } }";
  const answer = await fetch(`http://127.0.0.1:${port}/shop-api`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ query }) });
  const { items } = (await answer.json()).data.products;
  console.log(`seen: imported ${imported}, errors ${errors.length}`);
  for (const { name, facetValues: [facet], variants: [variant] } of items) console.log(`seen: ${name}: facet ${facet.id} "${facet.name}", option "${variant.options[0].name}"`);
  process.exit(0);
}
main().catch((error) => { console.error(error); process.exit(2); });
JS
echo "@vendure/core $(node -p 'require("./node_modules/@vendure/core/package.json").version'), Node $(node --version)"
seen=$(node run.js 2> run.log | grep '^seen:') || { cat run.log; exit 2; }
echo "$seen"
[ "$seen" = 'seen: imported 2, errors 0
seen: Wide: facet 1 "16", option "16:9"
seen: Tall: facet 1 "16", option "16:10"' ]
