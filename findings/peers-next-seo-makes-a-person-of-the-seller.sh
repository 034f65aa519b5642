#!/usr/bin/env bash
# next-seo 7 guesses from a name whether a company is a person: the seller or manufacturer "Acme Ltd" is an Organization of schema.org, "Acme" and "Acme GmbH" are of the type Person, and so is { name: "Acme Ltd" }.
# A brand that is a text is always a Brand. One would guess Organization for who makes and sells; no checker says anything, because a Person is allowed there.
# The JSON-LD of each product says that the shop is a private person, and one maker has two types if its name is spelled in two ways. Give "@type".
# Version: next-seo 7.3.0, react 19.3.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps next-seo@7.3.0 react@19.3.1 react-dom@19.3.1
cat > run.js <<'JS'
import { createRequire } from "node:module";
const load = createRequire(import.meta.url);
const { createElement } = load("react");
const { renderToStaticMarkup } = load("react-dom/server");
const { ProductJsonLd } = load("next-seo");

function read(manufacturer, seller) {
  const offers = { price: 19.9, priceCurrency: "EUR", seller };
  const html = renderToStaticMarkup(createElement(ProductJsonLd, { name: "Mug", brand: "Acme", manufacturer, offers }));
  const said = JSON.parse(html.replace(/<[^>]*>/g, ""));
  return [said.brand, said.manufacturer, said.offers.seller].map((each) => each["@type"]).join(" ");
}
for (const name of ["Acme", "Acme GmbH", "Acme Ltd"]) console.log(`${name}: ${read(name, name)}`);
console.log(`{ name }: ${read({ name: "Acme Ltd" }, { name: "Acme Ltd" })}`);
JS
seen=$(NODE_ENV=production node run.js | paste -sd';')
echo "next-seo@7.3.0"
echo "seen: $seen"
[ "$seen" = 'Acme: Brand Person Person;Acme GmbH: Brand Person Person;Acme Ltd: Brand Organization Organization;{ name }: Brand Person Person' ]
