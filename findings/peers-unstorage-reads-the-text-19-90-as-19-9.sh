#!/usr/bin/env bash
# A text that is stored with unstorage (Nitro's and Nuxt's storage) comes back as what it looks like: "19.90" as the number 19.9, "true" as true, the id
# "9007199254740993" as another number, 9007199254740992. "00123" stays a text. One would guess that a text stays one, as an object does; getItemRaw is the way out.
# Catalog APIs give prices and ids as texts so that nobody rounds them: the cache between does.
# Version: unstorage 1.17.6.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund unstorage@1.17.6
cat > run.js <<'JS'
import { createStorage } from "unstorage";

const storage = createStorage();
for (const text of ["19.90", "true", "9007199254740993", "00123"]) {
  await storage.setItem("value", text);
  console.log(JSON.stringify(text), JSON.stringify(await storage.getItem("value")));
}
await storage.setItem("record", { price: "19.90" });
console.log(JSON.stringify(await storage.getItem("record")));
JS
seen=$(node run.js)
echo "unstorage $(node -p 'require("./node_modules/unstorage/package.json").version')"
echo "seen: $seen"
[ "$seen" = '"19.90" 19.9
"true" true
"9007199254740993" 9007199254740992
"00123" "00123"
{"price":"19.90"}' ]
