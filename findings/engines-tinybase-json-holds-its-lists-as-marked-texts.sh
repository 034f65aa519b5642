#!/usr/bin/env bash
# TinyBase takes lists and objects in a cell, getRow() gives them back, and getJson(), which its persisters store, has them as texts behind a sign: "\ufffd[\"blue\"]".
# One would guess the list. An index by the cell tags has one slice named by that text, not one a tag. And the metric "avg" of the prices 19.9, null and 10.1 is 10: what has no price counts as 0, while SQL's avg gives 15.
# A page that keeps a catalog in TinyBase and hands its JSON to another program hands it texts for tags, images and brands. JSON.stringify(store.getTables()) has the lists.
# Version: tinybase 10.0.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund tinybase@10.0.1
cat > run.js <<'JS'
import { createIndexes, createMetrics, createStore } from "tinybase";

const escaped = (text) => text.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
const store = createStore().setTable("products", { 1: { price: 19.9, tags: ["blue"] }, 2: { price: null }, 3: { price: 10.1 } });
const metrics = createMetrics(store).setMetricDefinition("mean", "products", "avg", "price");
const indexes = createIndexes(store).setIndexDefinition("tag", "products", "tags");
console.log(`row ${JSON.stringify(store.getRow("products", "1").tags)}`);
console.log(`JSON ${escaped(JSON.parse(store.getJson())[0].products[1].tags)}`);
console.log(`index ${escaped(indexes.getSliceIds("tag")[0])}`);
console.log(`mean ${metrics.getMetric("mean")}`);
JS
seen=$(node run.js | paste -sd';')
echo "tinybase@10.0.1"
echo "seen: $seen"
[ "$seen" = 'row ["blue"];JSON \ufffd["blue"];index \ufffd["blue"];mean 10' ]
