#!/usr/bin/env bash
# Elysia's t.UnionEnum(["sale", "new", "used"]), a choice that its OpenAPI document shows as an enum, has its first value as default. So t.Optional(t.UnionEnum(…)) is never absent: /products without ?condition is
# answered as ?condition=sale, and the OpenAPI document says "default": "sale". With t.Union of literals, which means the same, it is absent.
# One would guess that optional means that it may be missing, as in TypeBox, and that a default is one that somebody wrote.
# Written in place of a union, it turns the list of all products into the list of some, without an error, and hides it from who tests with the filter.
# Version: elysia 1.4.30, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps elysia@1.4.30 @sinclair/typebox@0.34.41 exact-mirror@0.2.2
cat > run.js <<'JS'
import { Elysia, t } from "elysia";

const choices = ["sale", "new", "used"];
const kinds = { Union: t.Union(choices.map((choice) => t.Literal(choice))), UnionEnum: t.UnionEnum(choices) };
for (const [name, kind] of Object.entries(kinds)) {
  const app = new Elysia().get("/products", ({ query }) => query, { query: t.Object({ condition: t.Optional(kind) }) });
  const answer = await app.handle(new Request("http://shop.example/products"));
  console.log(`${name} ${await answer.text()}`);
}
JS
seen=$(node run.js)
echo "elysia $(node -p 'JSON.parse(fs.readFileSync("node_modules/elysia/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'Union {}
UnionEnum {"condition":"sale"}' ]
