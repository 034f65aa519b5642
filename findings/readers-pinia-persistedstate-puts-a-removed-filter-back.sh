#!/usr/bin/env bash
# A page begins with filters: { brand: "acme", sort: "price" } and keeps them with pinia-plugin-persistedstate. The visitor removes the brand, the storage has no brand, and the next page has brand "acme" again:
# what was stored is merged into the defaults, key by key and at every depth. One would guess the state that was stored; zustand's persist gives that. A list is replaced as a whole, and undefined does not help, as JSON drops it.
# Nor does the reverse hold in zustand: a key that a new version adds to the nested defaults is missing for whoever has an old state, in Pinia it is there.
# A catalog's page keeps filters as optional keys: use null or an empty text for "no brand" with Pinia.
# Version: pinia-plugin-persistedstate 4.7.1, pinia 3.0.4, vue 3.5.22, beside zustand 5.0.8, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps pinia-plugin-persistedstate@4.7.1 pinia@3.0.4 vue@3.5.22 zustand@5.0.8
cat > run.js <<'JS'
import { createPinia, defineStore } from "pinia";
import persistedState from "pinia-plugin-persistedstate";
import { createApp, nextTick } from "vue";
import { createJSONStorage, persist } from "zustand/middleware";
import { createStore } from "zustand/vanilla";

const kept = new Map();
const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text), removeItem: (key) => kept.delete(key) };
const first = () => ({ filters: { brand: "acme", sort: "price" } });
function piniaPage() {
  const pinia = createPinia().use(persistedState);
  createApp({}).use(pinia);
  return defineStore("pinia", { state: first, persist: { storage } })(pinia);
}
const zustandPage = () => createStore(persist(first, { name: "zustand", storage: createJSONStorage(() => storage) }));

delete piniaPage().filters.brand;
await nextTick();
zustandPage().setState({ filters: { sort: "price" } });
console.log(`stored ${kept.get("pinia")}`);
console.log(`pinia ${JSON.stringify(piniaPage().filters)}`);
console.log(`zustand ${JSON.stringify(zustandPage().getState().filters)}`);
JS
seen=$(node run.js 2>/dev/null | paste -sd';')
echo "pinia-plugin-persistedstate@4.7.1, pinia@3.0.4, zustand@5.0.8"
echo "seen: $seen"
[ "$seen" = 'stored {"filters":{"sort":"price"}};pinia {"brand":"acme","sort":"price"};zustand {"sort":"price"}' ]
