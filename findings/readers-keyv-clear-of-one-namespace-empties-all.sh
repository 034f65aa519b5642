#!/usr/bin/env bash
# Two Keyv instances with different namespaces over one Map: clear() of the first removes the keys of the second too, though get, set and delete keep them
# apart. One would guess that only its own keys go. A shop front that caches catalog answers and sessions in one store logs everybody out when it
# clears the catalog after a publish.
# Version: keyv 5.6.0, a Map as store.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund keyv@5.6.0
cat > run.js <<'JS'
import { Keyv } from "keyv";

const store = new Map();
const catalog = new Keyv({ store, namespace: "catalog" });
const sessions = new Keyv({ store, namespace: "sessions" });
await catalog.set("1", "mug");
await sessions.set("1", "Ann");
await catalog.delete("1");
const before = [...store.keys()].join();
await catalog.clear();
console.log(`after delete: ${before}; after clear: ${[...store.keys()].join() || "nothing"}`);
JS
seen=$(node run.js)
echo "keyv@5.6.0"
echo "seen: $seen"
[ "$seen" = 'after delete: sessions:1; after clear: nothing' ]
