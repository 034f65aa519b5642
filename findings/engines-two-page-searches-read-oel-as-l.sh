#!/usr/bin/env bash
# elasticlunr cuts everything that is not of A to Z, 0 to 9 or "_" off the ends of a word, and js-search splits words there: "Öl" (oil) and "Äl" are both indexed as "l", and the search for "Öl" finds "Äl" and "Size L".
# One would guess that a letter of another language is a letter, or is found by nothing.
# A shop with German, French or Nordic titles gets products that have nothing to do with the words, beside the right ones.
# Version: elasticlunr 0.9.5, js-search 2.0.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund elasticlunr@0.9.5 js-search@2.0.1
cat > run.js <<'JS'
import elasticlunr from "elasticlunr";
import { Search } from "js-search";

const titles = ["Öl", "Äl", "Size L", "Mug"];
const index = elasticlunr(function () {
  this.setRef("id");
  this.addField("title");
});
titles.forEach((title, id) => index.addDoc({ id, title }));
const search = new Search("id");
search.addIndex("title");
search.addDocuments(titles.map((title, id) => ({ id, title })));
const names = (list) => list.sort().join(" + ");
console.log(`elasticlunr: ${names(index.search("Öl").map(({ ref }) => titles[ref]))}`);
console.log(`js-search: ${names(search.search("Öl").map(({ title }) => title))}`);
JS
seen=$(node run.js 2>/dev/null | paste -sd';')
echo "elasticlunr@0.9.5 js-search@2.0.1"
echo "seen: $seen"
[ "$seen" = 'elasticlunr: Size L + Äl + Öl;js-search: Size L + Äl + Öl' ]
