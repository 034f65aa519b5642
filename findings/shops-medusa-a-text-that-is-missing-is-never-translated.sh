#!/usr/bin/env bash
# A product in Medusa has no subtitle in its own language, and a German one in the table of translations. A good engineer expects
# the German subtitle for locale de-DE: the translation is there. Medusa keeps null, and translates only texts that the product
# itself has; the title beside it is German.
# A catalog in that language that reads the translations by itself shows texts that no visitor of the shop ever sees.
# Version: @medusajs/utils@2.21.2 (what the Store API of @medusajs/medusa@2.21.2 calls), seen on Node 24.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" @medusajs/utils@2.21.2 > /dev/null
cat > "$dir/run.cjs" <<'JS'
const { applyTranslations, FeatureFlag } = require("@medusajs/utils");
FeatureFlag.setFlag("translation", true);
const translations = { title: "Blaues Hemd", subtitle: "Weich und blau", description: "Aus Wolle." };
const query = { graph: async () => ({ data: [{ reference_id: "prod_1", translations }] }) };
const product = { id: "prod_1", title: "Blue shirt", subtitle: null, description: "" };
applyTranslations({ localeCode: "de-DE", objects: [product], container: { resolve: () => query } }).then(() => {
  const { title, subtitle, description } = product;
  console.log(`seen: title ${JSON.stringify(title)}, subtitle ${JSON.stringify(subtitle)}, description ${JSON.stringify(description)}`);
  process.exit(title === "Blaues Hemd" && subtitle === null && description === "Aus Wolle." ? 0 : 1);
});
JS
echo "version: $(node -p "require('$dir/node_modules/@medusajs/utils/package.json').version"), Node $(node --version)"
node "$dir/run.cjs"
