#!/usr/bin/env bash
# kitsu-core reads the JSON:API relation "brand": {"data": null}, which says that there is none, as brand: {}. One would guess null, as jsona gives, or nothing. An empty object is
# true in JavaScript: "if (product.brand)" shows a brand without a name for every product that has none.
# Version: kitsu-core 11.1.0, beside jsona 1.14.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund kitsu-core@11.1.0 jsona@1.14.0
cat > run.js <<'JS'
import { Jsona } from "jsona";
import { deserialise } from "kitsu-core";

const answer = () => ({ data: { type: "products", id: "5", attributes: { title: "x" }, relationships: { brand: { data: null } } } });
console.log("kitsu-core:", JSON.stringify((await deserialise(answer())).data.brand));
console.log("jsona:", JSON.stringify(new Jsona().deserialize(answer()).brand));
JS
seen=$(node run.js)
echo "kitsu-core $(node -p 'require("./node_modules/kitsu-core/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'kitsu-core: {}
jsona: null' ]
