#!/usr/bin/env bash
# unstorage (Nitro's and Nuxt's storage) cuts a key at its question mark: "products?page=2" and "products?page=1" are one key, "products", in memory and on
# disk alike. One would guess two keys: only "/" and ":" are known to be the same there. A cache of answers by path and query gives the page that was stored last
# for every page and every filter.
# Version: unstorage 1.17.6.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund unstorage@1.17.6
cat > run.js <<'JS'
import { createStorage } from "unstorage";
import fs from "unstorage/drivers/fs";

for (const [name, options] of [["memory", {}], ["disk", { driver: fs({ base: "./kept" }) }]]) {
  const storage = createStorage(options);
  await storage.setItem("products?page=1", { items: ["a", "b"] });
  await storage.setItem("products?page=2", { items: ["c"] });
  console.log(name, JSON.stringify(await storage.getItem("products?page=1")), await storage.hasItem("products?page=3"), await storage.getKeys());
}
JS
seen=$(node run.js)
echo "unstorage $(node -p 'require("./node_modules/unstorage/package.json").version')"
echo "seen: $seen"
[ "$seen" = "memory {\"items\":[\"c\"]} true [ 'products' ]
disk {\"items\":[\"c\"]} true [ 'products' ]" ]
