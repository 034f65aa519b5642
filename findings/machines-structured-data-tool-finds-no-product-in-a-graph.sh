#!/usr/bin/env bash
# structured-data-testing-tool finds no Product if JSON-LD puts it into @graph or gives it two types, ["Product", "IndividualProduct"], and a comma as
# decimal sign in the price passes. One would guess that a checker reads every form of JSON-LD and checks the
# value. A catalog's page that is right fails the check in CI, and the one whose price nobody can read is green.
# Version: structured-data-testing-tool 4.5.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts structured-data-testing-tool@4.5.0
cat > run.cjs <<'JS'
const { structuredDataTest } = require("structured-data-testing-tool");

const product = { "@type": "Product", name: "Mug", offers: { "@type": "Offer", price: "19.90", priceCurrency: "EUR" } };
const pages = {
  plain: product,
  "in @graph": { "@graph": [{ "@type": "Organization", name: "Shop" }, product] },
  "two types": { ...product, "@type": ["Product", "IndividualProduct"] },
  "price 19,90": { ...product, offers: { ...product.offers, price: "19,90" } },
};
const check = (page) => structuredDataTest(page, { schemas: ["Product"] }).catch(({ res }) => res);
(async () => {
  for (const [name, data] of Object.entries(pages)) {
    const text = JSON.stringify({ "@context": "https://schema.org", ...data });
    const { failed } = await check(`<html><head><script type="application/ld+json">${text}</script></head></html>`);
    console.log(`${name}: ${failed.length === 0 ? "passed" : "failed"}`);
  }
})();
JS
seen=$(node run.cjs)
echo "structured-data-testing-tool@4.5.0"
echo "seen: $seen"
[ "$seen" = 'plain: passed
in @graph: failed
two types: failed
price 19,90: passed' ]
