#!/usr/bin/env bash
# match-sorter with an empty search gives every product, but sorted by its title: the list that came sorted by price, or by what the shop put first, is in alphabetical order
# before anybody has typed, and so are all matches of equal rank afterwards. One would guess the given order where nothing ranks one above the other; sorting
# in JavaScript is stable. A filter box over a catalog page loses the page's order; baseSort: () => 0 keeps it.
# Version: match-sorter 8.3.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund match-sorter@8.3.1
cat > run.js <<'JS'
import { matchSorter } from "match-sorter";

const byPrice = [{ title: "Tray", price: 5 }, { title: "Mug", price: 9 }, { title: "Bowl", price: 12 }];
const found = (options) => matchSorter(byPrice, "", { keys: ["title"], ...options }).map((product) => product.title).join(" ");
console.log(found({}) + "; baseSort: " + found({ baseSort: () => 0 }));
JS
seen=$(node run.js)
echo "match-sorter $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/match-sorter/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'Bowl Mug Tray; baseSort: Tray Mug Bowl' ]
