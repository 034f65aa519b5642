#!/usr/bin/env bash
# openapi-diff reports no difference at all, neither breaking nor other, when the price of an answer may be null from now on, when the product's status has a new value in its enum, or when a query parameter is removed or becomes required.
# One would guess that these are the breaking changes that such a check in CI is for: it does find a property that is missing or has another type.
# Who runs it before each release of a catalog API hears "no breaking changes found" on the day when clients begin to meet null as a price.
# Version: openapi-diff 0.24.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund openapi-diff@0.24.1
cat > run.mjs <<'JS'
import openapi from "openapi-diff";

const write = (change) => {
  const properties = { price: { type: "number" }, status: { type: "string", enum: ["published", "preorder"] } };
  const schema = { type: "object", required: ["price", "status"], properties };
  const get = { parameters: [{ name: "sort", in: "query", schema: { type: "string" } }], responses: { 200: { description: "x", content: { "application/json": { schema } } } } };
  change(get, properties);
  return { content: JSON.stringify({ openapi: "3.0.3", info: { title: "Shop", version: "1" }, paths: { "/product": { get } } }), location: "shop.json", format: "openapi3" };
};
const compare = async (name, change) => {
  const found = await openapi.diffSpecs({ sourceSpec: write(() => {}), destinationSpec: write(change) });
  const count = found.nonBreakingDifferences.length + found.unclassifiedDifferences.length;
  return `${name}: ${found.breakingDifferencesFound ? "breaking" : count} `;
};
console.log([
  await compare("price is a text", (_get, { price }) => (price.type = "string")),
  await compare("price may be null", (_get, { price }) => (price.nullable = true)),
  await compare("new status", (_get, { status }) => status.enum.push("sold_out")),
  await compare("sort removed", (get) => (get.parameters = [])),
  await compare("sort required", (get) => (get.parameters[0].required = true)),
].join(""));
JS
seen=$(node run.mjs)
echo "openapi-diff@0.24.1"
echo "seen: $seen"
[ "$seen" = "price is a text: breaking price may be null: 0 new status: 0 sort removed: 0 sort required: 0 " ]
