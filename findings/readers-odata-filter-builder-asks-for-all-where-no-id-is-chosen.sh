#!/usr/bin/env bash
# odata-filter-builder writes in("id", []) as nothing: the filter of no ids is no filter, and the list has all products. odata-query writes "id in ()". One would guess a condition that no record meets (or an error), as "in" of one id, none less, is one.
# Wish lists, carts and "bought together" ask a catalog for the products of some ids. With the last id removed the page shows the whole catalog.
# Version: odata-filter-builder 1.0.0, odata-query 8.1.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund odata-filter-builder@1.0.0 odata-query@8.1.0
cat > run.js <<'JS'
import * as builder from "odata-filter-builder";
import * as query from "odata-query";

const f = builder.ODataFilterBuilder ?? builder.default.ODataFilterBuilder ?? builder.default;
const buildQuery = query.default.default ?? query.default;
for (const ids of [[1, 2], [1], []]) console.log(`${ids.length}: "${f().in("id", ids)}" | "${buildQuery({ filter: { id: { in: ids } } })}"`);
console.log(`and: "${f().eq("published", true).in("id", [])}"`);
JS
seen=$(node run.js)
echo "odata-filter-builder 1.0.0"
echo "seen: $seen"
[ "$seen" = '2: "id eq 1 or id eq 2" | "?$filter=id in (1,2)"
1: "id eq 1" | "?$filter=id in (1)"
0: "" | "?$filter=id in ()"
and: "published eq true"' ]
