#!/usr/bin/env bash
# Legend-State's observer of products[0].price is called when the price in the first place changes, and not when another product comes there: a list that is set in another order, or without its first product, leaves it at the old price,
# and so does a new product before it, though products[0].price.get() gives the new one. Without a field "id" in the products, it is called. One would guess that an observer hears of whatever
# the expression it reads gives, with and without ids; ids are for keeping elements, not for saying nothing.
# A list that is refreshed by price or by rating shows the price of what was first before beside the new title, if title and price are observed in different places. Observe products, not a place in it.
# Version: @legendapp/state 2.1.15, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps @legendapp/state@2.1.15
cat > run.js <<'JS'
import { observable, observe } from "@legendapp/state";

function report(change, before, after) {
  const state = observable({ products: before });
  let seen;
  observe(() => { seen = state.products[0].price.get(); });
  state.products.set(after);
  console.log(`${change}: observed ${seen}, is ${state.products[0].price.get()}`);
}
const [mug, cup] = [{ id: 1, price: 5 }, { id: 2, price: 6 }];
report("cheaper", [mug, cup], [{ id: 1, price: 4 }, cup]);
report("other order", [mug, cup], [cup, mug]);
report("first removed", [mug, cup], [cup]);
report("one more", [mug, cup], [{ id: 3, price: 9 }, mug, cup]);
report("other order without ids", [{ slug: "mug", price: 5 }, { slug: "cup", price: 6 }], [{ slug: "cup", price: 6 }, { slug: "mug", price: 5 }]);
JS
seen=$(node run.js | paste -sd';')
echo "@legendapp/state@2.1.15"
echo "seen: $seen"
[ "$seen" = 'cheaper: observed 4, is 4;other order: observed 5, is 6;first removed: observed 5, is 6;one more: observed 5, is 9;other order without ids: observed 6, is 6' ]
