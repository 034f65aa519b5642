#!/usr/bin/env bash
# TanStack DB's avg() divides by all rows, and takes null for 0: of two mugs, one on sale for 15 and one with no sale price, the average sale price is 7.5 and min() is 0. A group without any sale price has 0 for both, not null. In the
# same query, count() of that column is 1, as in SQL, and where() drops rows whose comparison with null is unknown, also as in SQL. One would guess that the aggregates, which have SQL's names, follow SQL as well.
# A page says "on sale from EUR 0.00", and its average goes down with each product that is not on sale. Add where(({ p }) => not(isNull(p.sale))) to the query.
# Version: @tanstack/db 0.15.2, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @tanstack/db@0.15.2
cat > run.js <<'JS'
import { avg, count, createCollection, createLiveQueryCollection, localOnlyCollectionOptions, lt, min } from "@tanstack/db";

const products = createCollection(
  localOnlyCollectionOptions({
    getKey: ({ id }) => id,
    initialData: [
      { id: 1, shelf: "mugs", sale: null },
      { id: 2, shelf: "mugs", sale: 15 },
      { id: 3, shelf: "lamps", sale: null },
    ],
  }),
);
async function rows(query) {
  const live = createLiveQueryCollection({ query });
  await live.preload();
  return live.toArray;
}
const groups = await rows((query) =>
  query
    .from({ p: products })
    .groupBy(({ p }) => p.shelf)
    .select(({ p }) => ({ shelf: p.shelf, avg: avg(p.sale), min: min(p.sale), count: count(p.sale) })),
);
for (const { shelf, avg, min, count } of groups) console.log(`${shelf}: avg ${avg}, min ${min}, count ${count}`);
const cheap = await rows((query) => query.from({ p: products }).where(({ p }) => lt(p.sale, 20)));
console.log(`below 20: ${cheap.map(({ id }) => id)}`);
JS
seen=$(node run.js | LC_ALL=C sort | paste -sd';')
echo "@tanstack/db@0.15.2"
echo "seen: $seen"
[ "$seen" = 'below 20: 2;lamps: avg 0, min 0, count 0;mugs: avg 7.5, min 0, count 1' ]
