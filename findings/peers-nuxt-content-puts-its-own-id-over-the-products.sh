#!/usr/bin/env bash
# Nuxt Content gives each record of a data collection an id of its own, products/products/mug.json, over the record's "id": 12, and puts a "meta" of its own over the record's; the numbers are in no column and no answer. "stem" and
# "extension" of the record do win. One would guess that a record's fields are kept, or a warning. Whoever declares id: z.number() in the schema gets the error "no such column: NaN", which names neither record nor field.
# A catalog's JSON, whose records have ids that reviews and releases name, must be renamed on its way in: where("id", "=", 12) finds nothing.
# Version: @nuxt/content 3.16.1 with nuxt 4.3.1 and zod 4.6.7, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @nuxt/content@3.16.1 nuxt@4.3.1 zod@4.6.7
mkdir -p content/products app/pages
echo '{"id":12,"title":"Mug","meta":{"care":"by hand"},"stem":"mugs","extension":"psd"}' > content/products/mug.json
cat > nuxt.config.ts <<'TS'
export default defineNuxtConfig({
  modules: ["@nuxt/content"],
  compatibilityDate: "2026-01-01",
  telemetry: false,
  experimental: { payloadExtraction: false },
  content: { experimental: { sqliteConnector: "native" } },
});
TS
schema() {
  cat > content.config.ts <<TS
import { defineCollection, defineContentConfig } from "@nuxt/content";
import { z } from "zod";
export default defineContentConfig({
  collections: { products: defineCollection({ type: "data", source: "products/*.json", schema: z.object({ $1title: z.string() }) }) },
});
TS
}
cat > app/pages/index.vue <<'VUE'
<script setup>
const { data } = await useAsyncData("products", async () => {
  const [{ id, meta, stem, extension }] = await queryCollection("products").all();
  return [id, meta, stem, extension, (await queryCollection("products").where("id", "=", 12).all()).length];
});
</script>
<template><pre>{{ JSON.stringify(data) }}</pre></template>
VUE
build() { rm -rf .data .nuxt .output; timeout 300 node_modules/.bin/nuxt generate > log 2>&1 < /dev/null; }
schema ""; build
seen="$(grep -o '<pre>.*</pre>' .output/public/index.html | sed 's/<[^>]*>//g; s/&quot;/"/g')"
schema "id: z.number(), "; build || true
seen="$seen; declared: $(grep -o 'no such column: NaN' log | head -1)"
echo "@nuxt/content $(node -p 'JSON.parse(require("node:fs").readFileSync("node_modules/@nuxt/content/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '["products/products/mug.json",{},"mugs","psd",0]; declared: no such column: NaN' ]
