#!/usr/bin/env bash
# Medusa's export of products leaves out each sign =, +, - and @ with which a text begins, so that no spreadsheet takes it for a formula: "-20 °C Gel" is exported as "20 °C Gel", "+Plus Kit" as "Plus Kit", "@home Kit" as "home Kit", a description that is a list
# without its first dash. A text that is a negative number stays. One would guess that such a cell is marked, by an apostrophe or a tab that the import takes off again, as others do; Medusa's import takes the shortened title for a new one.
# After "export, change the prices, import" a gel is for another temperature, and two products have one title; a feed made from the table has it, too.
# Version: @medusajs/core-flows 2.21.2 with @medusajs/framework 2.21.2 (the step of its export, with made up modules for products, regions and files; and its class for imports), seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @medusajs/core-flows@2.21.2 @medusajs/framework@2.21.2
cat > run.js <<'JS'
const { PassThrough } = require("node:stream");
const { text } = require("node:stream/consumers");
const { asValue } = require("@medusajs/framework/awilix");
const { createMedusaContainer, CSVNormalizer } = require("@medusajs/framework/utils");
const { createWorkflow, WorkflowResponse } = require("@medusajs/framework/workflows-sdk");
const flows = `${__dirname}/node_modules/@medusajs/core-flows/dist/product`;
const { exportProductsStep } = require(`${flows}/steps/export-products`);
const { convertCsvToJson } = require(`${flows}/utils`);
const titles = ["Plus Kit", "+Plus Kit", "-20 °C Gel", "@home Kit", "Kit -20 °C", "-20"];
const products = titles.map((title, at) => ({ id: `prod_${at}`, handle: `kit-${at}`, title, variants: [], options: [] }));
const file = new PassThrough();
const table = text(file);
const container = createMedusaContainer();
container.register({
  query: asValue({ graph: async () => ({ data: products }) }),
  region: asValue({ listRegions: async () => [] }),
  file: asValue({ getUploadStream: async () => ({ writeStream: file, promise: table, fileKey: "products.csv" }) }),
});
(async () => {
  const workflow = createWorkflow("export-now", (input) => new WorkflowResponse(exportProductsStep(input)));
  await workflow(container).run({ input: { select: ["title"], filter: {} } });
  const rows = convertCsvToJson(await table).map((row, at) => CSVNormalizer.preProcess(row, at + 1));
  const read = new CSVNormalizer(rows).proccess().toUpdate;
  const lines = (await table).split("\n").slice(1);
  for (const [at, title] of titles.entries()) console.log(`seen: ${title}: ${lines[at]}, read back ${read[`prod_${at}`].title}`);
  process.exit(0);
})();
JS
echo "@medusajs/core-flows $(node -p 'require("./node_modules/@medusajs/core-flows/package.json").version'), Node $(node --version)"
seen=$(node run.js | grep '^seen:')
echo "$seen"
[ "$seen" = 'seen: Plus Kit: prod_0,kit-0,Plus Kit, read back Plus Kit
seen: +Plus Kit: prod_1,kit-1,Plus Kit, read back Plus Kit
seen: -20 °C Gel: prod_2,kit-2,20 °C Gel, read back 20 °C Gel
seen: @home Kit: prod_3,kit-3,home Kit, read back home Kit
seen: Kit -20 °C: prod_4,kit-4,Kit -20 °C, read back Kit -20 °C
seen: -20: prod_5,kit-5,-20, read back -20' ]
