#!/usr/bin/env bash
# Gatsby's queries: a product whose sizes are [] is found neither by sizes: { eq: "M" } nor by sizes: { ne: "M" } or { nin: ["M"] }, while one whose sizes are null, or that has no such field, is found by both of the last. For single values ne and nin find all that eq
# does not. And the products without a rating are the first of sort: { rating: DESC }, so limit: 2 of the best-rated are two that nobody rated; with ASC they are last. One would guess that ne is the contrary of eq.
# "All that do not come in M" loses posters, downloads and vouchers, whose exporter writes [] for sizes.
# Version: gatsby 5.16.1 with gatsby-transformer-json 5.16.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"name":"shop"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts gatsby@5.16.1 gatsby-source-filesystem@5.16.0 gatsby-transformer-json@5.16.0 react@18.3.1 react-dom@18.3.1
mkdir -p data src/pages
cat > data/items.json <<'JSON'
[{ "sku": "shirt", "sizes": ["S", "M"], "brand": "Acme", "rating": 4.5 }, { "sku": "cap", "sizes": ["S"], "brand": "Bolt", "rating": 3 }, { "sku": "poster", "sizes": [], "brand": null, "rating": null },
 { "sku": "mug", "sizes": null, "brand": null }, { "sku": "cup", "brand": "Acme", "rating": 5 }]
JSON
echo 'module.exports = () => null;' > src/pages/404.js
cat > gatsby-config.js <<'JS'
module.exports = { plugins: [{ resolve: "gatsby-source-filesystem", options: { path: `${__dirname}/data` } }, "gatsby-transformer-json"] };
JS
cat > gatsby-node.js <<'JS'
const QUERIES = ['filter: { sizes: { eq: "M" } }', 'filter: { sizes: { ne: "M" } }', 'filter: { sizes: { nin: ["M"] } }', 'filter: { brand: { ne: "Acme" } }', "sort: { rating: DESC }, limit: 2"];
exports.createPages = async ({ graphql }) => {
  for (const query of QUERIES) {
    const { data } = await graphql(`{ allItemsJson(${query}) { nodes { sku } } }`);
    console.log("SEEN", `${query}:`, data.allItemsJson.nodes.map(({ sku }) => sku).sort().join(" "));
  }
};
JS
code=0; GATSBY_TELEMETRY_DISABLED=1 CI=1 npx gatsby build > build.log 2>&1 || code=$?
[ "$code" = 0 ] || tail -n 5 build.log
seen=$(sed -n 's/^SEEN //p' build.log)
echo "gatsby $(node -p 'require("gatsby/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'filter: { sizes: { eq: "M" } }: shirt
filter: { sizes: { ne: "M" } }: cap cup mug
filter: { sizes: { nin: ["M"] } }: cap cup mug
filter: { brand: { ne: "Acme" } }: cap mug poster
sort: { rating: DESC }, limit: 2: mug poster' ]
