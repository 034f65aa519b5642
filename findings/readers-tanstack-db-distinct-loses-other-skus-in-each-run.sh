#!/usr/bin/env bash
# TanStack DB's distinct() tells rows apart by a sum of 32 bits, which begins with a random number in each program, and does not compare them: of 200,000 different article numbers five to fifteen or so are missing in the answer, and others after the next
# start. groupBy() has all. One would guess that a sum finds the candidates and a comparison decides, as in every database with SELECT DISTINCT, or that a row that is lost is lost each time, so that it can be found.
# With 20,000 products about one visit in ten has one product, or one variant's number, too few in its list; nobody can repeat it. groupBy() and select() give the same rows.
# Version: @tanstack/db 0.15.2, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @tanstack/db@0.15.2
cat > run.js <<'JS'
import { createCollection, createLiveQueryCollection, localOnlyCollectionOptions } from "@tanstack/db";

const initialData = Array.from({ length: 200_000 }, (_, id) => ({ id, sku: `SKU-${id}` }));
const products = createCollection(localOnlyCollectionOptions({ getKey: ({ id }) => id, initialData }));
async function missing(query) {
  const live = createLiveQueryCollection({ query: (builder) => query(builder.from({ p: products })) });
  await live.preload();
  const found = new Set(live.toArray.map(({ sku }) => sku));
  return initialData.filter(({ sku }) => !found.has(sku)).map(({ sku }) => sku);
}
const lost = await missing((from) => from.select(({ p }) => ({ sku: p.sku })).distinct());
const grouped = await missing((from) => from.groupBy(({ p }) => p.sku).select(({ p }) => ({ sku: p.sku })));
console.log(`distinct misses ${lost.length > 0 && lost.length < 60 ? "some" : lost.length}, groupBy ${grouped.length}`);
console.error(lost.join());
JS
seen="$(node run.js 2> first | paste -sd';'); again: $(node run.js 2> second)"
echo "@tanstack/db@0.15.2"
echo "seen: $seen; $(tr ',' '\n' < first | wc -l) and $(tr ',' '\n' < second | wc -l)"
[ "$seen" = 'distinct misses some, groupBy 0; again: distinct misses some, groupBy 0' ] && ! cmp -s first second
