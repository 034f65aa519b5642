#!/usr/bin/env bash
# qs (Express' "extended" parser, Koa's and Strapi's) reads id=1&id=2&… as a list up to 20 values, and as an object with the keys "0" to "20" from the 21st on; so does
# id[]=…, and a comma list with comma: true. One would guess a list of any length, or an error: the limit was known for indices like id[21] only. A wish list or cart that asks a catalog
# for its products by id works until it has 21.
# Version: qs 6.17.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund qs@6.17.1
cat > run.js <<'JS'
import qs from "qs";

const ids = (count) => Array.from({ length: count }, (_, n) => n + 1);
const shape = (value) => (Array.isArray(value) ? "list" : "object");
for (const count of [20, 21])
  console.log(
    count,
    shape(qs.parse(ids(count).map((id) => `id=${id}`).join("&")).id),
    shape(qs.parse(ids(count).map((id) => `id[]=${id}`).join("&")).id),
    shape(qs.parse(`id=${ids(count)}`, { comma: true }).id),
  );
JS
seen=$(node run.js)
echo "qs@6.17.1"
echo "seen: $seen"
[ "$seen" = '20 list list list
21 object object object' ]
