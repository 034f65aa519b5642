#!/usr/bin/env bash
# tableFromJSON of Apache Arrow finds all columns of a list of products, also those that the first one lacks or has as null. Within a nested object it takes the keys of the first one only: from { offer: { sale: null } } and
# { offer: { sale: 5, stock: 3 } } the column offer has no keys at all, and both values are gone without a word. One would guess one rule for both levels.
# A text that is missing is "", a number null. The first value also decides for those after it: after true, the text "no" is false; after 1, "1.10" is 1.1 and "C#" is null; only after a text the number 1 becomes a text. Nothing throws.
# A table of a catalog made in the browser has other columns and values when the products come in another order. A schema of its own, by tableFromArrays with typed vectors, is safe.
# Version: apache-arrow 21.2.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund apache-arrow@21.2.0
cat > run.js <<'JS'
import { tableFromJSON } from "apache-arrow";

const read = (values) => JSON.stringify(tableFromJSON(values.map((value) => ({ value }))).toArray().map((row) => row.value));
console.log(`top level ${JSON.stringify(tableFromJSON([{ sale: null }, { sale: 5, stock: 3 }]).toArray())}`);
console.log(`missing ${JSON.stringify(tableFromJSON([{ sale: 5, brand: "Acme" }, {}]).toArray()[1])}`);
console.log(`nested ${read([{ sale: null }, { sale: 5, stock: 3 }])} ${read([{ sale: 5, stock: 3 }, { sale: null }])}`);
console.log(`mixed ${read([true, "no"])} ${read([1, "1.10", "C#"])} ${read(["1.10", 1])}`);
JS
seen=$(node run.js | paste -sd';')
echo "apache-arrow@21.2.0"
echo "seen: $seen"
[ "$seen" = 'top level [{"sale":null,"stock":null},{"sale":5,"stock":3}];missing {"sale":null,"brand":""};nested [{},{}] [{"sale":5,"stock":3},{"sale":null,"stock":null}];mixed [true,false] [1,1.1,null] ["1.10","1"]' ]
