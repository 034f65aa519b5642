#!/usr/bin/env bash
# use-query-params writes a list of filters as one value with "_" between, and a value that has "_" is not escaped: the category t_shirts comes back from the address as t and shirts. ObjectParam loses the rest of such a value: { brand: "a_b" } comes back as { brand: "a" }.
# One would guess that what encode writes, decode reads, as with query-string's own lists, or that it throws.
# A reader who reloads or shares the page of a filter gets two filters that find nothing. The order of a sort such as price_asc is lost the same way.
# Version: serialize-query-params 2.0.4, which use-query-params 2 gives on.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund serialize-query-params@2.0.4
cat > run.js <<'JS'
import { createRequire } from "node:module";
const { DelimitedArrayParam, ObjectParam } = createRequire(import.meta.url)("serialize-query-params");
const back = (param, value) => JSON.stringify(param.decode(param.encode(value)));
console.log(back(DelimitedArrayParam, ["t_shirts", "mugs"]));
console.log(back(ObjectParam, { brand: "a_b", sort: "price_asc" }));
JS
seen=$(node run.js | paste -sd' ')
echo "serialize-query-params@2.0.4"
echo "seen: $seen"
[ "$seen" = '["t","shirts","mugs"] {"brand":"a","sort":"price"}' ]
