#!/usr/bin/env bash
# ItemsJS adds _id to the objects that it is given, and takes an _id that is there for its own: copies of indexed records with new ids collide, and are
# missing from results and from the total. One would guess that an index leaves its input alone. A catalog that indexes its records before it writes
# them publishes a field that no schema has; frozen records are refused with a TypeError.
# Version: itemsjs 2.4.4.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund itemsjs@2.4.4
cat > run.js <<'JS'
import itemsjs from "itemsjs";

const records = [{ id: 1, title: "Invoice Kit" }, { id: 2, title: "Price List" }];
itemsjs(records, { searchableFields: ["title"] });
console.log(JSON.stringify(records[0]));
const copies = records.map((record) => ({ ...record, id: record.id + 10 }));
console.log(itemsjs([...records, ...copies], { searchableFields: ["title"] }).search({ per_page: 100 }).pagination.total);
JS
seen=$(node run.js)
echo "itemsjs@2.4.4"
echo "seen: $seen"
[ "$seen" = '{"id":1,"title":"Invoice Kit","_id":1}
2' ]
