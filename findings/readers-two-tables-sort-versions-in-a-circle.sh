#!/usr/bin/env bash
# Sorted by version, Vuetify's VDataTable and Angular Material's MatTableDataSource show 9.0, 10.0 and 10.0.1 in three different orders, each after the order in which the records came. Two texts that look like
# numbers are compared as numbers, all other pairs as texts: 9.0 is below 10.0, 10.0 below 10.0.1, and 10.0.1 below 9.0. It is the same for the sizes 9, 10 and 10 XL. One would guess that an order by texts
# is wrong for versions (10 before 9), but an order: that the same rows sorted twice by one column are in one order.
# In a list of releases the newest is first, last or in the middle, and another page size or a changed record moves the others. The column needs a comparison of its own.
# Version: vuetify 4.3.0 with vue 3.5.45, @angular/material 22.2.6 with @angular/core 22.2.6.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps vuetify@4.3.0 vue@3.5.45 @angular/material@22.2.6 @angular/cdk@22.2.6 @angular/{core,common,compiler,platform-browser}@22.2.6 rxjs@7.8.2
cat > run.js <<'JS'
import { createRequire } from "node:module";
import "@angular/compiler";

const { MatTableDataSource } = await import("@angular/material/table");
const require = createRequire(import.meta.url);
const { createSSRApp, h } = require("vue");
const { renderToString } = require("vue/server-renderer");
const { createVuetify, components } = require("vuetify/dist/vuetify.cjs");

async function vuetify(items) {
  const table = { items, headers: [{ key: "version" }], sortBy: [{ key: "version", order: "asc" }] };
  const app = createSSRApp({ render: () => h(components.VDataTable, table) }).use(createVuetify({ ssr: true }));
  const html = (await renderToString(app)).replace(/<!--.*?-->/g, "");
  return [...html.matchAll(/<td class="v-data-table__td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell);
}

function material(items) {
  const source = new MatTableDataSource(items);
  return source.sortData([...items], { active: "version", direction: "asc" }).map(({ version }) => version);
}

for (const [name, sort] of Object.entries({ vuetify, material }))
  for (const versions of [["9.0", "10.0", "10.0.1"], ["10.0", "10.0.1", "9.0"], ["10.0.1", "9.0", "10.0"]])
    console.log(`${name}: ${(await sort(versions.map((version) => ({ version })))).join(", ")}`);
JS
seen=$(node run.js)
echo "vuetify@4.3.0 @angular/material@22.2.6"
echo "seen: $seen"
[ "$seen" = 'vuetify: 9.0, 10.0, 10.0.1
vuetify: 10.0, 10.0.1, 9.0
vuetify: 10.0.1, 9.0, 10.0
material: 9.0, 10.0, 10.0.1
material: 10.0, 10.0.1, 9.0
material: 10.0.1, 9.0, 10.0' ]
