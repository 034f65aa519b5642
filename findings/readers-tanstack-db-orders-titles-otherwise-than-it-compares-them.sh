#!/usr/bin/env bash
# TanStack DB's orderBy() puts texts in the order of the language, apple, Banana, cherry, Zebra, and gt() compares their codes, in which Zebra comes before apple: the pages of where(gt(title, the last one)) and orderBy(title) show apple twice
# and Zebra never. One would guess that one library has one order for one column, as a database has its collation, so that the next page begins behind the last; only orderBy() has a setting for it, stringSort: "lexical", with which it holds.
# A catalog's titles begin with small and capital letters and with É and Ö; a list that is paged by the last title ends early, with no error.
# Version: @tanstack/db 0.15.2, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @tanstack/db@0.15.2
cat > run.js <<'JS'
import { createCollection, createLiveQueryCollection, gt, localOnlyCollectionOptions } from "@tanstack/db";

console.warn = () => undefined;
const initialData = ["cherry", "Zebra", "apple", "Banana"].map((title, id) => ({ id, title }));
const products = createCollection(localOnlyCollectionOptions({ getKey: ({ id }) => id, initialData }));
async function pageAfter(last, order) {
  const query = (builder) => builder.from({ p: products }).where(({ p }) => gt(p.title, last)).orderBy(({ p }) => p.title, order).limit(2);
  const live = createLiveQueryCollection({ query });
  await live.preload();
  return live.toArray.map(({ title }) => title);
}
for (const stringSort of ["locale", "lexical"]) {
  const pages = [];
  for (let page = await pageAfter("", { direction: "asc", stringSort, locale: "en" }); page.length > 0; ) {
    pages.push(page.join(", "));
    page = await pageAfter(page.at(-1), { direction: "asc", stringSort, locale: "en" });
  }
  console.log(`${stringSort}: ${pages.join(" | ")}`);
}
JS
seen=$(timeout 60 node run.js | paste -sd';')
echo "@tanstack/db@0.15.2"
echo "seen: $seen"
[ "$seen" = 'locale: apple, Banana | apple, cherry;lexical: Banana, Zebra | apple, cherry' ]
