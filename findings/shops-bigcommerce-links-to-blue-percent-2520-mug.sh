#!/usr/bin/env bash
# BigCommerce's theme helper setURLQueryParam encodes a value twice: {{setURLQueryParam "https://shop.example/search" "q" "blue mug"}} writes q=blue%2520mug, and the brand Größe becomes brand=Gr%25C3%25B6%25C3%259Fe. Its example, c=2,
# is right, as are all values of letters and digits; what the address had before stays as it was. One would guess q=blue+mug or q=blue%20mug, for a helper that exists to put a value into an address.
# (It encodes both texts and hands them to URLSearchParams, which encodes what it is given.)
# A theme that links to filters, to another search or to a catalog API with it asks for the product "blue%20mug" and finds nothing, only for names with a space, an umlaut, a comma or an ampersand: an API sees such values in its log.
# Version: @bigcommerce/stencil-paper-handlebars 6.6.4, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @bigcommerce/stencil-paper-handlebars@6.6.4
cat > run.cjs <<'JS'
const Renderer = require("@bigcommerce/stencil-paper-handlebars");
console.log(`stencil-paper-handlebars ${require("@bigcommerce/stencil-paper-handlebars/package.json").version}`);
const renderer = new Renderer({}, {}, "v4");
const wanted = { 2: "2", "blue mug": "blue%20mug", Größe: "Gr%C3%B6%C3%9Fe", "1,5 l": "1%2C5%20l" };
(async () => {
  let holds = true;
  for (const [value, once] of Object.entries(wanted)) {
    const link = await renderer.renderString('{{{setURLQueryParam address "q" value}}}', { address: "https://shop.example/search?page=1", value });
    const read = new URL(link).searchParams.get("q");
    console.log(`${value}: ${link}, which a server reads as ${read}`);
    holds &&= read === once && link.startsWith("https://shop.example/search?page=1&q=");
  }
  process.exit(holds ? 0 : 1);
})();
JS
node run.cjs
