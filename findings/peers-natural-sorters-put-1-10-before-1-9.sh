#!/usr/bin/env bash
# natural-orderby, javascript-natural-sort and natsort order the versions 1.9, 1.10 and 1.2 as 1.10, 1.2, 1.9, and with a "v" before them as v1.2, v1.9, v1.10: a text that is
# a number as a whole counts as a decimal. With 1.2.9 beside 1.2.10 they agree with everybody. One would guess the natural order in all three, which is what
# Intl.Collator with numeric: true, natural-compare and compare-versions give.
# A list of releases is right until the tenth minor version, and then calls an old release the latest.
# Version: natural-orderby 5.0.0, javascript-natural-sort 0.7.1, natsort 2.0.3, natural-compare 1.4.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund natural-orderby@5.0.0 javascript-natural-sort@0.7.1 natsort@2.0.3 natural-compare@1.4.0
cat > run.js <<'JS'
import javascriptNaturalSort from "javascript-natural-sort";
import naturalCompare from "natural-compare";
import { compare } from "natural-orderby";
import natsort from "natsort";

const orders = {
  "natural-orderby": compare(),
  "javascript-natural-sort": javascriptNaturalSort,
  natsort: (natsort.default ?? natsort)(),
  "natural-compare": naturalCompare,
  collator: new Intl.Collator("en", { numeric: true }).compare,
};
for (const [name, order] of Object.entries(orders))
  console.log(name, ["1.9", "1.10", "1.2"].sort(order).join(" "), ["v1.9", "v1.10", "v1.2"].sort(order).join(" "), ["1.2.10", "1.2.9"].sort(order).join(" "));
JS
seen=$(node run.js)
echo "natural-orderby $(node -p 'require("./node_modules/natural-orderby/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'natural-orderby 1.10 1.2 1.9 v1.2 v1.9 v1.10 1.2.9 1.2.10
javascript-natural-sort 1.10 1.2 1.9 v1.2 v1.9 v1.10 1.2.9 1.2.10
natsort 1.10 1.2 1.9 v1.2 v1.9 v1.10 1.2.9 1.2.10
natural-compare 1.2 1.9 1.10 v1.2 v1.9 v1.10 1.2.9 1.2.10
collator 1.2 1.9 1.10 v1.2 v1.9 v1.10 1.2.9 1.2.10' ]
