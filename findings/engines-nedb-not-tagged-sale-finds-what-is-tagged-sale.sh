#!/usr/bin/env bash
# NeDB's queries are those of MongoDB, as a subset. { tags: { $ne: "sale" } } is guessed to find the products without that tag, as it does in MongoDB and in mingo and sift, which have the same language.
# In NeDB it finds the products that have another tag, those tagged "sale" and "mugs" too, and leaves out those without any tag; $nin is the same. A condition on a list is asked of each element.
# A filter of a catalog (not on sale, without this allergen, no adult content) shows what it should hide, and hides what has nothing to hide; with one tag for each product it looks right.
# Version: @seald-io/nedb@4.1.2, mingo@7.2.7, sift@17.1.4.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" @seald-io/nedb@4.1.2 mingo@7.2.7 sift@17.1.4 > /dev/null
cat > "$dir/run.mjs" <<'JS'
import Datastore from "@seald-io/nedb";
import { find } from "mingo";
import sift from "sift";
const products = [
  { _id: "both", tags: ["mugs", "sale"] },
  { _id: "sale", tags: ["sale"] },
  { _id: "mugs", tags: ["mugs"] },
  { _id: "none", tags: [] },
];
const db = new Datastore();
await db.insertAsync(products);
const ids = (found) => found.map(({ _id }) => _id).sort().join(" ");
for (const query of [{ tags: "sale" }, { tags: { $ne: "sale" } }, { tags: { $nin: ["sale"] } }]) {
  console.log(`${JSON.stringify(query)}: nedb ${ids(await db.findAsync(query))}, mingo ${ids(find(products, query).all())}, sift ${ids(products.filter(sift(query)))}`);
}
JS
seen=$(node "$dir/run.mjs")
echo "@seald-io/nedb 4.1.2, mingo 7.2.7, sift 17.1.4, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = '{"tags":"sale"}: nedb both sale, mingo both sale, sift both sale
{"tags":{"$ne":"sale"}}: nedb both mugs, mingo mugs none, sift mugs none
{"tags":{"$nin":["sale"]}}: nedb both mugs, mingo mugs none, sift mugs none' ]
