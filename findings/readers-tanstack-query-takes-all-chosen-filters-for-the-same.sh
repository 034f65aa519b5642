#!/usr/bin/env bash
# TanStack Query makes one text of a query's key by JSON, so a Set, a Map or URLSearchParams in it is {} whatever it holds: ["products", new Set(["red"])] and ["products", new Set(["blue"])] are one query, the second page shows the first
# one's products and asks nothing. One would guess two queries, or an error, as a BigInt in a key gives (JSON.stringify throws); SWR, of the same trade, tells them apart.
# A list's chosen filters are a Set or a URLSearchParams in many pages: whoever unticks "red" and ticks "blue" sees red products until the page is loaded anew. [...set] and params.toString() are the way.
# Version: @tanstack/query-core 5.108.4, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @tanstack/query-core@5.108.4
cat > run.mjs <<'JS'
import { QueryClient } from "@tanstack/query-core";

const filters = {
  list: (colour) => [colour],
  Set: (colour) => new Set([colour]),
  Map: (colour) => new Map([["colour", colour]]),
  URLSearchParams: (colour) => new URLSearchParams({ colour }),
};
for (const [name, make] of Object.entries(filters)) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  const load = (colour) => client.fetchQuery({ queryKey: ["products", make(colour)], queryFn: async () => `${colour} mug` });
  console.log(`${name}: ${await load("red")}, ${await load("blue")}`);
}
process.exit(0);
JS
seen=$(node run.mjs)
echo "@tanstack/query-core@5.108.4"
echo "seen: $seen"
[ "$seen" = 'list: red mug, blue mug
Set: red mug, red mug
Map: red mug, red mug
URLSearchParams: red mug, red mug' ]
