#!/usr/bin/env bash
# In JSONata products[stock] does not keep the products whose stock is not 0: the number is taken for an index, so the product stays whose stock is its own
# place in the list, here the first and only one, which is sold out. products[inStock] with true or false filters as one thinks. One would guess that a number
# is true unless it is 0, as $boolean says. A flow (Node-RED, Step Functions) over a catalog's list shows what cannot be bought; [stock > 0] is right.
# Version: jsonata 2.2.2, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund jsonata@2.2.2
cat > run.js <<'JS'
import jsonata from "jsonata";

const products = [
  { title: "jug", stock: 0, inStock: false },
  { title: "mug", stock: 5, inStock: true },
  { title: "lamp", stock: 1, inStock: true },
];
for (const query of ["[stock]", "[$boolean(stock)]", "[stock > 0]", "[inStock]"])
  console.log(`products${query}: ${[await jsonata(`products${query}.title`).evaluate({ products })].flat().join()}`);
JS
seen=$(node run.js)
echo "jsonata@2.2.2"
echo "seen: $seen"
[ "$seen" = 'products[stock]: jug
products[$boolean(stock)]: mug,lamp
products[stock > 0]: mug,lamp
products[inStock]: mug,lamp' ]
