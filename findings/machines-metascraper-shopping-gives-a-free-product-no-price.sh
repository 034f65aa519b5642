#!/usr/bin/env bash
# metascraper's shopping rules read a JSON-LD price of 0 as no price, take of two offers the first price though the second is lower, join both availabilities to the text
# "https://schema.org/InStock and https://schema.org/OutOfStock", and give a product in @graph its price but neither name nor brand. One would guess
# 0, the lowest or a list, and the product. Free items vanish from whoever compares shops by it, and no filter knows "InStock and OutOfStock".
# Version: metascraper@5.58.1 @samirrayani/metascraper-shopping@1.4.22, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts metascraper@5.58.1 @samirrayani/metascraper-shopping@1.4.22
cat > run.cjs <<'JS'
const read = require("metascraper")([require("@samirrayani/metascraper-shopping")()]);

const offer = (price, state = "InStock") => ({ "@type": "Offer", price, priceCurrency: "EUR", availability: `https://schema.org/${state}` });
const product = (offers) => ({ "@type": "Product", name: "Mug", brand: { "@type": "Brand", name: "Ox" }, offers });
const pages = {
  free: product(offer(0)),
  "two offers": product([offer(19.9), offer(5, "OutOfStock")]),
  "in @graph": { "@graph": [{ "@type": "Organization", name: "Shop" }, product(offer(19.9))] },
};
(async () => {
  for (const [name, data] of Object.entries(pages)) {
    const text = JSON.stringify({ "@context": "https://schema.org", ...data });
    const html = `<html><head><script type="application/ld+json">${text}</script></head></html>`;
    const { name: title, brand, price, availability } = await read({ html, url: "https://shop.example.com/" });
    console.log(`${name}: ${title} ${brand} ${price} ${availability}`);
  }
})();
JS
seen=$(node run.cjs)
echo "metascraper@5.58.1 @samirrayani/metascraper-shopping@1.4.22"
echo "seen: $seen"
[ "$seen" = 'free: Mug Ox null https://schema.org/InStock
two offers: Mug Ox 19.9 https://schema.org/InStock and https://schema.org/OutOfStock
in @graph: null null 19.9 https://schema.org/InStock' ]
