#!/usr/bin/env bash
# open-graph-scraper knows "og:product:price:amount" and not product:price:amount, the name that Facebook's guide gives and that shops' themes write: the price is nowhere in its result, and "og:price:amount" is there. Of
# two og:locale:alternate it keeps the last. One would guess that a package for these tags knows the one of all products, or hands on what it does not know, and that what may be repeated is a list, as og:image is.
# A tool that compares prices by their tags says of a shop which writes only that one that it has no price. One must name product:price:amount in customMetaTags.
# Version: open-graph-scraper 6.12.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund open-graph-scraper@6.12.0
cat > run.mjs <<'JS'
import scrape from "open-graph-scraper";

const tag = (name, content) => `<meta property="${name}" content="${content}">`;
const page = (...tags) => scrape({ html: `<!doctype html><title>Mug</title>${tag("og:title", "Mug")}${tag("og:type", "product")}${tags.join("")}` });
const show = async (...tags) => {
  const { result } = await page(...tags);
  return JSON.stringify(Object.fromEntries(Object.entries(result).filter(([name]) => /price|locale|image/i.test(name))));
};
console.log(await show(tag("product:price:amount", "19.90"), tag("product:price:currency", "EUR")));
console.log(await show(tag("og:product:price:amount", "19.90")), await show(tag("og:price:amount", "19.90")));
console.log(await show(tag("og:locale:alternate", "de_DE"), tag("og:locale:alternate", "nb_NO"), tag("og:image", "https://a.example/1"), tag("og:image", "https://a.example/2")));
JS
seen=$(node run.mjs)
echo "open-graph-scraper@6.12.0"
echo "seen: $seen"
[ "$seen" = '{}
{"ogProductPriceAmount":"19.90"} {"ogPriceAmount":"19.90"}
{"ogLocaleAlternate":"nb_NO","ogImage":[{"url":"https://a.example/1"},{"url":"https://a.example/2"}]}' ]
